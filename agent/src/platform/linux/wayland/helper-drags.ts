/** Drags of files on a desktop that a helper serves: its side, and that of the service. */
import { longestText } from '../x11/selection-atoms.ts';
import type { DropTarget } from '../../drag/file-drags.ts';
import { flagIn, textIn } from '../../helper/plain-values.ts';
import { mainObject, type RemoteObjects } from '../../helper/remote-objects.ts';
import type { ServedObjects } from '../../helper/serve-objects.ts';
import type { UriDrags } from '../drag/reachable-drags.ts';

export async function openHelperDrags(objects: RemoteObjects): Promise<UriDrags> {
  const object = objects.nextObject();
  await objects.call(mainObject, 'uriDrags', [object]);
  const stops: (() => void)[] = [];
  return {
    onBegin: (listener) =>
      void stops.push(objects.onEvent(object, (event) => event === 'begin' && listener())),
    hasFiles: async ({ x, y, pressedAt }) =>
      flagIn(await objects.call(object, 'hasFiles', [{ x, y, pressedAt }])),
    openTarget({ x, y }, { onFiles, onAccepted, onDrop }): DropTarget {
      const target = objects.nextObject();
      const answer = async (uriList: string): Promise<void> =>
        objects.tell(target, 'answer', [await onFiles(uriList)]);
      const stopListening = objects.onEvent(target, (event, value) => {
        if (event === 'accepted') onAccepted();
        if (event === 'drop') onDrop();
        if (event === 'files') void answer(textIn(value, longestText));
      });
      objects.tell(object, 'openTarget', [target, { x, y }]);
      return {
        move: (toX, toY) => objects.tell(target, 'move', [toX, toY]),
        close() {
          stopListening();
          objects.tell(target, 'close');
        },
      };
    },
    close() {
      for (const stop of stops) stop();
      objects.tell(object, 'close');
    },
  };
}

export function serveDrags({ objects, emit }: ServedObjects, object: number, drags: UriDrags): void {
  drags.onBegin(() => emit(object, 'begin'));
  objects.set(object, {
    hasFiles: drags.hasFiles,
    openTarget(target: number, position: { x: number; y: number }) {
      const { promise: answer, resolve } = Promise.withResolvers<boolean>();
      const opened = drags.openTarget(position, {
        onFiles: (uriList) => (emit(target, 'files', uriList), answer),
        onAccepted: () => emit(target, 'accepted'),
        onDrop: () => emit(target, 'drop'),
      });
      objects.set(target, {
        move: opened.move,
        answer: resolve,
        close: () => (objects.delete(target), opened.close()),
      });
    },
    close: () => (objects.delete(object), drags.close()),
  });
}
