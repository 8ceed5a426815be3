/** Drags of files on a desktop that a helper serves: its side, and that of the service. */
import { longestText } from '../x11/selection-atoms.ts';
import type { DragSearch, DropListener, DropTarget, HeldPointer } from '../../drag/file-drags.ts';
import { flagIn, textIn } from '../../helper/plain-values.ts';
import { mainObject, type RemoteObjects } from '../../helper/remote-objects.ts';
import type { Methods, ServedObjects } from '../../helper/serve-objects.ts';
import type { UriDrags } from '../drag/reachable-drags.ts';

interface Point {
  x: number;
  y: number;
}

export async function openHelperDrags(objects: RemoteObjects): Promise<UriDrags> {
  const object = objects.nextObject();
  await objects.call(mainObject, 'uriDrags', [object]);
  const stops: (() => void)[] = [];
  return {
    onBegin: (listener) =>
      void stops.push(objects.onEvent(object, (event) => event === 'begin' && listener())),
    search: (pointer) => searchOf({ objects, object }, pointer),
    openTarget: (position, listener) => targetOf({ objects, object }, position, listener),
    close() {
      for (const stop of stops) stop();
      objects.tell(object, 'close');
    },
  };
}

/**
 * When `performance.now` was 0 in this process, by the clock that all processes share. Times are sent by that clock: a message may
 * wait longer than a program needs to begin its drag.
 */
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Drags that the helper has opened. */
interface RemoteDrags {
  objects: RemoteObjects;
  object: number;
}

function searchOf({ objects, object }: RemoteDrags, { x, y, pressedAt }: HeldPointer): DragSearch {
  const { promise: found, resolve } = Promise.withResolvers<boolean>();
  const search = objects.nextObject();
  const stopListening = objects.onEvent(
    search,
    (event, value) => event === 'found' && resolve(flagIn(value)),
  );
  objects.tell(object, 'search', [search, { x, y, pressedAt: pressedAt + zeroMs }]);
  return {
    found,
    ...placeOf(objects, search, () => {
      stopListening();
      resolve(false);
    }),
  };
}

/** The helper is believed once: what it says later cannot replace the files that the operator was told of. */
function targetOf(
  { objects, object }: RemoteDrags,
  { x, y }: Point,
  listener: DropListener<string>,
): DropTarget {
  const target = objects.nextObject();
  const said = new Set<string>();
  const answer = async (uriList: string): Promise<void> =>
    objects.tell(target, 'answer', [await listener.onFiles(uriList)]);
  const stopListening = objects.onEvent(target, (event, value) => {
    if (said.has(event) || (event !== 'files' && !said.has('files'))) return;
    said.add(event);
    if (event === 'files') void answer(textIn(value, longestText));
    if (event === 'accepted') listener.onAccepted();
    if (event === 'drop') listener.onDrop();
  });
  objects.tell(object, 'openTarget', [target, { x, y }]);
  return placeOf(objects, target, stopListening);
}

/** A place under the pointer that the helper has opened. */
const placeOf = (objects: RemoteObjects, object: number, onClose: () => void): DropTarget => ({
  move: (x, y) => objects.tell(object, 'move', [x, y]),
  close() {
    onClose();
    objects.tell(object, 'close');
  },
});

export function serveDrags({ objects, emit }: ServedObjects, object: number, drags: UriDrags): void {
  drags.onBegin(() => emit(object, 'begin'));
  objects.set(object, {
    search(search: number, { x, y, pressedAt }: HeldPointer) {
      const opened = drags.search({ x, y, pressedAt: pressedAt - zeroMs });
      servePlace(objects, search, opened);
      void opened.found.then((isFound) => emit(search, 'found', isFound));
    },
    openTarget(target: number, position: Point) {
      const { promise: answer, resolve } = Promise.withResolvers<boolean>();
      const opened = drags.openTarget(position, {
        onFiles: (uriList) => (emit(target, 'files', uriList), answer),
        onAccepted: () => emit(target, 'accepted'),
        onDrop: () => emit(target, 'drop'),
      });
      servePlace(objects, target, opened, { answer: resolve });
    },
    close: () => (objects.delete(object), drags.close()),
  });
}

function servePlace(
  objects: ServedObjects['objects'],
  object: number,
  place: DropTarget,
  methods: Methods = {},
): void {
  objects.set(object, {
    ...methods,
    move: place.move,
    close: () => (objects.delete(object), place.close()),
  });
}
