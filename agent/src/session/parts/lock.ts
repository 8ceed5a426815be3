/** Locks the screens of all who work on the device. */
import type { PartOf } from '../part.ts';

export const lock: PartOf = (leg) => ({
  hear: {
    async lock() {
      await leg.platform.lock();
      leg.log(`${leg.operator.name} locked the screen`);
    },
  },
  stop() {},
});
