/** Shares one capture between all who watch: a stream of the portal sends a picture to its first reader only, until something changes. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { refCounted, type Closable } from '../../../helper/ref-counted.ts';
import { boundingBox } from '../../../../pixels/boxes.ts';
import type { Capture } from '../../../desktop.ts';
import type { PipeWireCapture } from '../pipewire/capture.ts';

/** More boxes than this are merged into one. */
const maxBoxes = 256;

interface Watcher {
  /** What changed since its last call of `damage`. */
  changed: Box[];
}

interface Source extends Closable {
  capture: PipeWireCapture;
  watchers: Set<Watcher>;
  /** After a failure, the next watcher opens a new capture. */
  failed(): void;
}

export function createSharedCaptures(open: () => Promise<PipeWireCapture>): () => Promise<Capture> {
  const acquire = refCounted(async () => toSource(await open()));
  return async () => {
    const { value, release } = await acquire();
    try {
      // The picture may be older, if the others have not asked for changes for a while.
      await update(value);
    } catch (error) {
      release();
      throw error;
    }
    return watch(value, release);
  };
}

function toSource(capture: PipeWireCapture): Source {
  const listeners: (() => void)[] = [];
  return {
    capture,
    watchers: new Set(),
    failed: () => listeners.forEach((listener) => listener()),
    onClose: (listener) => void listeners.push(listener),
    close: capture.close,
  };
}

function watch(source: Source, release: () => void): Capture {
  const { capture, watchers } = source;
  const watcher: Watcher = { changed: [] };
  watchers.add(watcher);
  const isOpen = (): boolean => watchers.has(watcher);
  return {
    async damage() {
      await update(source);
      return watcher.changed.splice(0);
    },
    grab: capture.grab,
    onDamage: (listener) => capture.onDamage(() => isOpen() && listener()),
    onCursor: (listener) => capture.onCursor((cursor) => isOpen() && listener(cursor)),
    close() {
      if (!watchers.delete(watcher)) return;
      release();
    },
  };
}

/** Each watcher gets what changed, also if another one asked first; they are told by the capture itself. */
async function update({ capture, watchers, failed }: Source): Promise<void> {
  const boxes = await capture.damage().catch((error: unknown) => {
    failed();
    throw error;
  });
  for (const watcher of watchers) {
    watcher.changed.push(...boxes);
    if (watcher.changed.length > maxBoxes) watcher.changed = [boundingBox(watcher.changed)];
  }
}
