/** What the readers of picture formats share. */

export interface Size {
  width: number;
  height: number;
}

/** Empty where the bytes end before. */
export const textAt = (view: DataView, at: number, length: number): string =>
  at + length > view.byteLength
    ? ''
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));

export const isWithin = (inner: Size, outer: Size): boolean =>
  inner.width <= outer.width && inner.height <= outer.height;
