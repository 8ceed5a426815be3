/** The X11 protocol, as far as the agent speaks it; the one file that knows the package. */
import x11 from 'x11';
import type { DisplayPlace } from './display.ts';

export interface Grabbed {
  width: number;
  height: number;
  /** Blue, green, red and a byte of nothing for each pixel, row by row. */
  bgrx: Uint8Array;
}

export interface Display {
  grab(): Promise<Grabbed>;
  close(): void;
}

const wholePixels = 2;
const allPlanes = 0xffffffff;

export function openDisplay({ display, authority }: DisplayPlace): Promise<Display> {
  if (authority !== undefined) process.env['XAUTHORITY'] = authority;
  const { promise, resolve, reject } = Promise.withResolvers<Display>();
  const client = x11.createClient({ display }, (error, opened) => {
    if (error) return reject(error);
    const [screen] = opened.screen;
    const { root, pixel_width: width, pixel_height: height } = screen!;
    resolve({
      grab: () => grab(opened.client, root, width, height),
      close: () => client.terminate(),
    });
  });
  client.on('error', reject);
  return promise;
}

function grab(client: x11.Client, root: number, width: number, height: number): Promise<Grabbed> {
  const { promise, resolve, reject } = Promise.withResolvers<Grabbed>();
  client.GetImage(wholePixels, root, 0, 0, width, height, allPlanes, (error, image) =>
    error ? reject(error) : resolve({ width, height, bgrx: image.data }),
  );
  return promise;
}
