/** Text of a clipboard in a pipe, which programs of a Wayland desktop use to exchange it. */
import { Socket } from 'node:net';
import { longestText } from '../x11/selection-atoms.ts';

/** If a program takes longer, its text is not read. */
const readTimeoutMs = 5_000;

/** Returns undefined if the text is too long or is not sent. */
export async function readTextPipe(fd: number): Promise<string | undefined> {
  const pipe = new Socket({ fd, readable: true, writable: false });
  pipe.setTimeout(readTimeoutMs, () => pipe.destroy(new Error('The clipboard is not sent.')));
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of pipe as AsyncIterable<Buffer>) {
      parts.push(part);
      if ((length += part.length) > longestText) return undefined;
    }
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Resolves with whether all of the text was written. */
export function writeTextPipe(fd: number, text: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const pipe = new Socket({ fd, readable: false, writable: true });
  pipe.on('error', () => resolve(false)).end(text, () => resolve(true));
  return promise;
}
