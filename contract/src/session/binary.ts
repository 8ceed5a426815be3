/** Reads and writes the bytes of frames. Numbers are big-endian, and input from outside can be malformed. */

export type Bytes = Uint8Array<ArrayBuffer>;

export const dataViewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function writeUint16s(view: DataView, at: number, values: readonly number[]): number {
  values.forEach((value, index) => view.setUint16(at + 2 * index, value));
  return at + 2 * values.length;
}

export const readUint16s = (view: DataView, at: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => view.getUint16(at + 2 * index));

/** Wraps a decoder so that it returns undefined for truncated or malformed input. */
export function safeDecoder<Value>(read: (view: DataView, bytes: Uint8Array) => Value | undefined) {
  return (bytes: Uint8Array): Value | undefined => {
    try {
      return read(dataViewOf(bytes), bytes);
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}
