/**
 * Shares one capture between all who watch: Windows duplicates a monitor once for each program, and a stream of the portal sends a
 * picture to its first reader only, until something changes.
 */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../pixels/boxes.ts';
import type { Capture } from '../desktop.ts';
import { refCounted, type Closable } from './ref-counted.ts';

export interface SharableCapture extends Capture {
  /** Whether it shows all of the desktop as it is now. The next watcher of one that does not opens a new capture. */
  isCurrent?(): boolean;
}

/** More boxes than this are merged into one. */
const maxBoxes = 256;

type CursorListener = Parameters<Capture['onCursor']>[0];

interface Watcher {
  /** What changed since its last call of `damage`. */
  changed: Box[];
  damageListeners: (() => void)[];
  cursorListeners: CursorListener[];
}

interface Source extends Closable {
  capture: SharableCapture;
  watchers: Set<Watcher>;
  /** The pointer, with its last shape; absent until it was reported. */
  cursor: Parameters<CursorListener>[0] | undefined;
  isCursorWatched: boolean;
  /** After a failure, the next watcher opens a new capture. */
  failed(): void;
}

export function createSharedCaptures(open: () => Promise<SharableCapture>): () => Promise<Capture> {
  const acquireAny = refCounted(async () => toSource(await open()));
  const acquire: typeof acquireAny = async () => {
    const found = await acquireAny();
    if (found.value.capture.isCurrent?.() ?? true) return found;
    found.value.failed();
    found.release();
    return acquireAny();
  };
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

function toSource(capture: SharableCapture): Source {
  const closeListeners: (() => void)[] = [];
  const watchers = new Set<Watcher>();
  capture.onDamage(() => watchers.forEach(notify));
  return {
    capture,
    watchers,
    cursor: undefined,
    isCursorWatched: false,
    failed: () => closeListeners.forEach((listener) => listener()),
    onClose: (listener) => void closeListeners.push(listener),
    close: capture.close,
  };
}

const notify = ({ damageListeners }: Watcher): void => damageListeners.forEach((listener) => listener());

function watch(source: Source, release: () => void): Capture {
  const { capture, watchers } = source;
  const watcher: Watcher = { changed: [], damageListeners: [], cursorListeners: [] };
  watchers.add(watcher);
  return {
    async damage() {
      await update(source, watcher);
      return watcher.changed.splice(0);
    },
    grab: capture.grab,
    onDamage: (listener) => void watcher.damageListeners.push(listener),
    onCursor(listener) {
      watcher.cursorListeners.push(listener);
      if (source.cursor) listener(source.cursor);
      watchCursor(source);
    },
    close() {
      if (!watchers.delete(watcher)) return;
      release();
    },
  };
}

/** The first watcher who wants it asks for the pointer, and all get it. */
function watchCursor(source: Source): void {
  if (source.isCursorWatched) return;
  source.isCursorWatched = true;
  source.capture.onCursor((cursor) => {
    source.cursor = { ...source.cursor, ...cursor };
    for (const { cursorListeners } of source.watchers)
      cursorListeners.forEach((listener) => listener(cursor));
  });
}

/** Each watcher gets what changed. All but the one that asks are notified, because they may have asked a moment before. */
async function update({ capture, watchers, failed }: Source, asking?: Watcher): Promise<void> {
  const boxes = await capture.damage().catch((error: unknown) => {
    failed();
    throw error;
  });
  if (boxes.length === 0) return;
  for (const watcher of watchers) {
    watcher.changed.push(...boxes);
    if (watcher.changed.length > maxBoxes) watcher.changed = [boundingBox(watcher.changed)];
    if (watcher !== asking) notify(watcher);
  }
}
