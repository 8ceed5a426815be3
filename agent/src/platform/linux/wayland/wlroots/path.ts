/** The path for compositors based on wlroots: their own protocols show and control the desktop without a prompt. */
import { loadTextBitmaps } from '../../x11/fonts/text-bitmaps.ts';
import type { WaylandPath } from '../wayland-path.ts';
import { connectToCompositor } from '../wire/connection.ts';
import { createWlrootsDesktop } from './desktop.ts';
import { noFont } from '../compositor/pane-screen.ts';
import { dataControlKinds, kinds, requiredKinds } from '../compositor/protocol.ts';

/** The kinds of objects that the compositor offers. */
async function offeredKinds(): Promise<ReadonlySet<string>> {
  const connection = await connectToCompositor();
  const offered = new Set(connection.globals().map(({ kind }) => kind));
  connection.close();
  return offered;
}

export const wlrootsPath: WaylandPath = {
  name: 'wlroots',
  async whyNot() {
    try {
      const offered = await offeredKinds();
      const missing = requiredKinds.filter((kind) => !offered.has(kind));
      if (missing.length > 0) return `The compositor does not offer ${missing.join(', ')}.`;
      return (await loadTextBitmaps()) ? undefined : noFont;
    } catch (error) {
      return `The compositor cannot be reached: ${(error as Error).message}`;
    }
  },
  async warnings() {
    const offered = await offeredKinds();
    const noClipboard = 'The compositor does not share its clipboard. Update it.';
    const noSizes = 'The compositor does not let programs change the size of the screen. Update it.';
    return [
      ...(dataControlKinds.some((kind) => offered.has(kind)) ? [] : [noClipboard]),
      ...(offered.has(kinds.outputManagement) ? [] : [noSizes]),
    ];
  },
  async open(memory) {
    const connection = await connectToCompositor();
    try {
      return await createWlrootsDesktop(connection, memory);
    } catch (error) {
      connection.close();
      throw error;
    }
  },
};
