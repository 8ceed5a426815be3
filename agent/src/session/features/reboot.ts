/** Reboots the device and tells the operator to reconnect afterwards. */
import { decodeMessage } from '@drawbridge/contract/session/messages';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';

export const rebootFeature: FeatureFactory = (context) => ({
  handlers: {
    async reboot(payload) {
      const { safe } = decodeMessage('reboot', payload) ?? malformed('reboot');
      context.log(`${context.operator.name} reboots the device`);
      await context.platform.reboot({ safe });
      context.end('The device is rebooting.', true);
    },
  },
  stop: () => {},
});
