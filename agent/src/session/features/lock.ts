/** Locks the screens of all users of the device. */
import type { FeatureFactory } from '../feature.ts';

export const lockFeature: FeatureFactory = (context) => ({
  handlers: {
    async lock() {
      await context.platform.lock();
      context.log(`${context.operator.name} locked the screen`);
    },
  },
  stop() {},
});
