/** Requests updates from a VNC server: at most one request for changes is open, and it is repeated until pixels arrive. */
import type { DisplaySize } from '../common-sizes.ts';
import { updateRequest } from './messages.ts';

export interface UpdateRequester {
  request(what: 'whole' | 'changes'): void;
  /** Called for each update. */
  answered(hasPixels: boolean, isOtherSize: boolean): void;
}

/** The delay before a request is repeated after an update without pixels, so that agent and server do not keep each other busy. */
const repeatMs = 20;

export function createUpdateRequester(
  send: (message: Uint8Array) => void,
  size: () => DisplaySize,
): UpdateRequester {
  let [isOpen, isNewSize] = [false, false];
  let waiting: NodeJS.Timeout | undefined;
  const repeat = (): void => {
    waiting = undefined;
    if (!isOpen) return;
    // A request for changes includes the whole screen requested before; some servers never answer repeated whole requests.
    send(updateRequest(isNewSize ? 'whole' : 'changes', size()));
    isNewSize = false;
  };
  return {
    request(what) {
      if (what === 'changes' && isOpen) return;
      isOpen = true;
      if (what === 'whole') isNewSize = false;
      send(updateRequest(what, size()));
    },
    answered(hasPixels, isOtherSize) {
      if (isOtherSize) isNewSize = true;
      if (hasPixels) isOpen = false;
      else waiting ??= setTimeout(repeat, repeatMs).unref();
    },
  };
}
