/** Shared by the readers of image formats. */

export interface ImageSize {
  width: number;
  height: number;
}

/** Returns an empty string if the bytes end before that. */
export const textAt = (view: DataView, at: number, length: number): string =>
  at + length > view.byteLength
    ? ''
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));

export const fitsWithin = (inner: ImageSize, outer: ImageSize): boolean =>
  inner.width <= outer.width && inner.height <= outer.height;
