/** The atoms of drags between X11 programs (XDND), and the numbers in their properties. */

export const xdndAtomNames = [
  'XdndAware',
  'XdndSelection',
  'XdndTypeList',
  'XdndEnter',
  'XdndPosition',
  'XdndStatus',
  'XdndDrop',
  'XdndFinished',
  'XdndActionCopy',
  'TARGETS',
  'INCR',
  'text/uri-list',
  'DRAWBRIDGE_DRAG',
] as const;

export type XdndAtoms = Record<(typeof xdndAtomNames)[number], number>;

export const uint32sIn = (data: Buffer): number[] =>
  Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(4 * index));

export const numberBytes = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
