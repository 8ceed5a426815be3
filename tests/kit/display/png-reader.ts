/** Reads the PNG pictures that the agent makes, with a decoder that shares no code with the agent. */
import { PNG } from 'pngjs';

export interface ReadPicture {
  width: number;
  height: number;
  /** One number per pixel: alpha, red, green, blue from the highest byte down. */
  pixels: Uint32Array;
}

export function readPng(file: Uint8Array): ReadPicture {
  const { width, height, data } = PNG.sync.read(Buffer.from(file));
  const pixels = Uint32Array.from({ length: width * height }, (_, index) => {
    const colour = data.readUInt32BE(index * 4);
    return ((colour >>> 8) | (colour << 24)) >>> 0;
  });
  return { width, height, pixels };
}
