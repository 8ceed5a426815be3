/** The atoms of X11 selections, and the longest text that is exchanged. */

export const atomNames = [
  'CLIPBOARD',
  'TARGETS',
  'UTF8_STRING',
  'TEXT',
  'STRING',
  'text/plain;charset=utf-8',
  'text/plain',
  'INCR',
  'ATOM',
  'INTEGER',
] as const;

export type Atoms = Record<(typeof atomNames)[number], number>;

/** Longer texts, in bytes, are not transferred. */
export const longestText = 1_048_576;
