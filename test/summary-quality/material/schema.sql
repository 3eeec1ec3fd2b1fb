create table customers (
  id bigint generated always as identity primary key,
  created_at integer not null,
  name text,
  country boolean not null default false,
  reference timestamptz not null default now(),
  note integer not null,
  is_active integer not null,
  updated_at numeric(12,2) not null
);
create index customers_by_position on customers (id, created_at);

create table addresses (
  id bigint generated always as identity primary key,
  country text,
  position bigint not null,
  reference numeric(12,2) not null,
  created_at integer not null
);
create index addresses_by_payload on addresses (id, created_at);

create table orders (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  status text,
  updated_at text not null,
  amount jsonb,
  country text,
  note boolean not null default false,
  external_id timestamptz not null default now()
);
create index orders_by_reference on orders (id, created_at);

create table order_lines (
  id bigint generated always as identity primary key,
  status bigint not null,
  position bigint not null,
  created_at numeric(12,2) not null,
  email timestamptz not null default now(),
  currency integer not null,
  note integer not null
);
create index order_lines_by_country on order_lines (id, created_at);

create table products (
  id bigint generated always as identity primary key,
  is_active timestamptz not null default now(),
  country integer not null,
  status jsonb,
  email integer not null,
  note boolean not null default false,
  external_id timestamptz not null default now(),
  payload numeric(12,2) not null
);
create index products_by_external_id on products (id, created_at);

create table stock (
  id bigint generated always as identity primary key,
  external_id bigint not null,
  reference text,
  status bigint not null,
  amount numeric(12,2) not null,
  payload text not null,
  currency integer not null
);
create index stock_by_email on stock (id, created_at);

create table suppliers (
  id bigint generated always as identity primary key,
  name jsonb,
  position text,
  status text not null,
  external_id integer not null,
  created_at text,
  country boolean not null default false,
  reference text not null
);
create index suppliers_by_created_at on suppliers (id, created_at);

create table invoices (
  id bigint generated always as identity primary key,
  amount bigint not null,
  external_id jsonb,
  payload text,
  status timestamptz not null default now(),
  created_at bigint not null,
  is_active text,
  name bigint not null
);
create index invoices_by_external_id on invoices (id, created_at);

create table payments (
  id bigint generated always as identity primary key,
  reference text,
  currency text,
  updated_at timestamptz not null default now(),
  amount numeric(12,2) not null,
  is_active text not null
);
create index payments_by_reference on payments (id, created_at);

create table refunds (
  id bigint generated always as identity primary key,
  external_id text not null,
  note integer not null,
  country boolean not null default false,
  name boolean not null default false,
  payload timestamptz not null default now(),
  amount boolean not null default false
);
create index refunds_by_currency on refunds (id, created_at);

create table audit_events (
  id bigint generated always as identity primary key,
  currency text,
  payload bigint not null,
  email integer not null,
  name integer not null,
  status jsonb,
  position bigint not null
);
create index audit_events_by_updated_at on audit_events (id, created_at);

