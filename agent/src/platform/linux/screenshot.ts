/** Takes a screenshot, scales it down and encodes it as PNG. */
import type { Screenshot } from '../platform.ts';
import { encodePng } from '../png.ts';
import { shrink, type ScreenPicture } from '../shrink.ts';
import { openScreenshotSource, releaseScreenSource, type ScreenshotSource } from './screen-source.ts';
import { createFramebuffer, putPixels } from '../../pixels/framebuffer.ts';
import { fetchFramebuffer } from './vnc/capture.ts';
import type { VncConnection } from './vnc/connection.ts';
import type { OpenedDesktop } from './wayland/desktop.ts';
import type { X11Connection } from './x11/connection.ts';

const [wholePixels, allPlanes] = [2, 0xffff_ffff];

export async function takeScreenshot(width: number): Promise<Screenshot> {
  const source = await openScreenshotSource();
  try {
    const grabbed = await grabFrom(source);
    return { type: 'image/png', bytes: encodePng(shrink(grabbed, width)) };
  } finally {
    releaseScreenSource(source);
  }
}

async function grabFrom(source: ScreenshotSource): Promise<ScreenPicture> {
  if (source.wayland) return grabFromDesktop(source.wayland);
  return source.vnc ? grabFromVnc(source.vnc.value) : grab(source.display.value);
}

async function grabFromDesktop(desktop: OpenedDesktop): Promise<ScreenPicture> {
  const { width, height } = await desktop.layout();
  const capture = await desktop.capture();
  try {
    const framebuffer = createFramebuffer(width, height);
    for (const pixels of await capture.grab([{ x: 0, y: 0, width, height }])) putPixels(framebuffer, pixels);
    return { width, height, bgrx: framebuffer.bytes };
  } finally {
    capture.close();
  }
}

async function grab({ client, root, call }: X11Connection): Promise<ScreenPicture> {
  const { width, height } = await call<{ width: number; height: number }>((done) =>
    client.GetGeometry(root, done),
  );
  const { data } = await call<{ data: Buffer }>((done) =>
    client.GetImage(wholePixels, root, 0, 0, width, height, allPlanes, done),
  );
  return { width, height, bgrx: data };
}

async function grabFromVnc(vnc: VncConnection): Promise<ScreenPicture> {
  const { width, height, bytes } = await fetchFramebuffer(vnc);
  return { width, height, bgrx: bytes };
}
