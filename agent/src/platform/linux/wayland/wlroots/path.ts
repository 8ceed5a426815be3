/** The path for compositors based on wlroots: their own protocols show and control the desktop without a prompt. */
import type { WaylandPath } from '../wayland-path.ts';
import { connectToCompositor } from '../wire/connection.ts';
import { createWlrootsDesktop } from './desktop.ts';
import { requiredKinds } from './protocol.ts';

export const wlrootsPath: WaylandPath = {
  name: 'wlroots',
  async whyNot() {
    try {
      const connection = await connectToCompositor();
      const offered = new Set(connection.globals().map(({ kind }) => kind));
      connection.close();
      const missing = requiredKinds.filter((kind) => !offered.has(kind));
      return missing.length > 0 ? `The compositor does not offer ${missing.join(', ')}.` : undefined;
    } catch (error) {
      return `The compositor cannot be reached: ${(error as Error).message}`;
    }
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
