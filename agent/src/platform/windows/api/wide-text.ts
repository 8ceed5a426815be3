/** Text in the encoding of Windows: UTF-16, ended by a NUL. */

/** Reads the text at the start of a buffer, up to the first NUL. */
export function readWideText(bytes: Uint8Array, offset = 0): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + offset, bytes.byteLength - offset).toString(
    'utf16le',
  );
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

export const wideText = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
