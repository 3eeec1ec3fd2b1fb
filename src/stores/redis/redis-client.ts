/** The part of a client of the package `redis` that is used: of one server, a cluster, a pool or Sentinel. */
export interface NodeRedisClient {
  withCommandOptions(options: { timeout: number; typeMapping: object }): {
    get(key: string): Promise<unknown>;
    set(key: string, value: string, options: { NX?: true; PX?: number }): Promise<unknown>;
    del(key: string): Promise<unknown>;
  };
}

/** The part of a client of the package `ioredis` that is used: of one server or a cluster. */
export interface IoredisClient {
  readonly status: string;
  defineCommand(name: string, definition: { lua: string }): unknown;
  get(key: string): Promise<unknown>;
  set(key: string, value: string): Promise<unknown>;
  set(key: string, value: string, nx: 'NX'): Promise<unknown>;
  set(key: string, value: string, px: 'PX', milliseconds: number): Promise<unknown>;
  set(key: string, value: string, px: 'PX', milliseconds: number, nx: 'NX'): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/** The part of a client of the package `@upstash/redis` that is used. */
export interface UpstashClient {
  createScript(script: string): unknown;
  get(key: string): Promise<unknown>;
  set(key: string, value: string, options?: { nx?: true; px?: number }): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/**
 * A client of Redis. Described here instead of imported, so that every version of the packages that has
 * these methods can be given.
 */
export type RedisClient = NodeRedisClient | IoredisClient | UpstashClient;
