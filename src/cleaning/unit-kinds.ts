/** What becomes of a UTF-16 code unit in visible text: it stays, leaves, or has to be looked at. */
export const plainUnit = 0;
const hidden = 1;
export const lineEnd = 2;
export const surrogate = 3;
/** Non-joiner, joiner and emoji selector: they stay where a script or an emoji needs them. */
export const needed = 4;

/**
 * Code units that a reader does not see and a model does: all that Unicode calls default-ignorable (soft
 * hyphen, bidirectional marks, fillers, variation selectors), interlinear annotations, what is no
 * character at all, and the C0 and C1 controls that do nothing a reader sees.
 */
const hiddenUnits: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x3_4f, 0x3_4f],
  [0x6_1c, 0x6_1c],
  [0x11_5f, 0x11_60],
  [0x17_b4, 0x17_b5],
  [0x18_0b, 0x18_0f],
  [0x20_0b, 0x20_0f],
  [0x20_2a, 0x20_2e],
  [0x20_60, 0x20_6f],
  [0x31_64, 0x31_64],
  [0xfd_d0, 0xfd_ef],
  [0xfe_00, 0xfe_0f],
  [0xfe_ff, 0xfe_ff],
  [0xff_a0, 0xff_a0],
  [0xff_f0, 0xff_fb],
  [0xff_fe, 0xff_ff],
];

const neededUnits: readonly number[] = [0x20_0c, 0x20_0d, 0xfe_0f];

/** Carriage return, vertical tab, form feed, next line. */
const lineEndUnits: readonly number[] = [0x0b, 0x0c, 0x0d, 0x85];

/** By code unit: megabytes are looked at in a few milliseconds. */
export const unitKinds: Uint8Array = kindsOfUnits();

function kindsOfUnits(): Uint8Array {
  const kinds = new Uint8Array(0x1_00_00);
  for (const [first, last] of hiddenUnits) kinds.fill(hidden, first, last + 1);
  for (const unit of neededUnits) kinds[unit] = needed;
  for (const unit of lineEndUnits) kinds[unit] = lineEnd;
  return kinds.fill(surrogate, 0xd8_00, 0xe0_00);
}

/**
 * Whether a code point above U+FFFF is one that a reader does not see: tags and selectors, format
 * controls of hieroglyphs, shorthand and music, what is no character.
 */
export function isHiddenPoint(point: number): boolean {
  return (
    (point >= 0xe_00_00 && point <= 0xe_0f_ff) ||
    (point >= 0x1_34_30 && point <= 0x1_34_55) ||
    (point >= 0x1_bc_a0 && point <= 0x1_bc_a3) ||
    (point >= 0x1_d1_73 && point <= 0x1_d1_7a) ||
    (point & 0xff_fe) === 0xff_fe
  );
}
