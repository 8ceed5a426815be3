/** Reboots the device and tells the operator to reconnect afterwards. */
import type { FeatureFactory } from '../feature.ts';

export const rebootFeature: FeatureFactory = (context) => ({
  handlers: {
    async reboot(payload) {
      const { safe } = payload;
      context.log(`${context.operator.name} reboots the device`);
      await context.platform.reboot({ safe });
      context.end('The device is rebooting.', true);
    },
  },
  stop: () => {},
});
