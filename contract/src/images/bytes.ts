/** What the readers of picture formats share. */

export interface ImageSize {
  width: number;
  height: number;
}

/** Empty where the bytes end before. */
export const textAt = (view: DataView, at: number, length: number): string =>
  at + length > view.byteLength
    ? ''
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));

export const fitsWithin = (inner: ImageSize, outer: ImageSize): boolean =>
  inner.width <= outer.width && inner.height <= outer.height;
