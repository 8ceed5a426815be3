/** The questions for pictures to a VNC server: never more than one is open for changes, and each is answered in the end. */
import type { DisplaySize } from '../common-sizes.ts';
import { updateRequest } from './messages.ts';

export interface UpdateRequester {
  request(what: 'whole' | 'changes'): void;
  /** An update came: with pixels or without, and of a screen that has another size than before or not. */
  answered(hasPixels: boolean, isOtherSize: boolean): void;
}

/** After an update without pixels the question is asked again, but not so fast that two could keep each other busy. */
const againMs = 20;

export function createUpdateRequester(
  send: (message: Uint8Array) => void,
  size: () => DisplaySize,
): UpdateRequester {
  let [isAsked, isNewSize] = [false, false];
  let waiting: NodeJS.Timeout | undefined;
  const askAgain = (): void => {
    waiting = undefined;
    if (!isAsked) return;
    // What was asked for whole counts as changed from then on: asked for whole again, some would never show it.
    send(updateRequest(isNewSize ? 'whole' : 'changes', size()));
    isNewSize = false;
  };
  return {
    request(what) {
      if (what === 'changes' && isAsked) return;
      isAsked = true;
      if (what === 'whole') isNewSize = false;
      send(updateRequest(what, size()));
    },
    answered(hasPixels, isOtherSize) {
      if (isOtherSize) isNewSize = true;
      if (hasPixels) isAsked = false;
      else waiting ??= setTimeout(askAgain, againMs).unref();
    },
  };
}
