/** Finds out which compositor a desktop belongs to. */
import { join } from 'node:path';
import { textOf } from '../inventory/system-files.ts';
import { peerOf } from './peer-process.ts';
import type { WaylandSession } from './wayland-session.ts';

/** The name of the program that owns the desktop, such as gnome-shell; empty if it is not known. */
export async function compositorOf({ runtimeFolder, display }: WaylandSession): Promise<string> {
  const owner = await peerOf(join(runtimeFolder, display)).catch(() => undefined);
  return owner === undefined ? '' : textOf(`/proc/${owner}/comm`);
}
