/** A reboot asked for in a session: the operator is told to come back, and the machine goes down. */
import { decodeMessage } from '@drawbridge/contract/session/messages';
import { misshapen } from '../misshapen.ts';
import type { PartOf } from '../part.ts';

export const reboot: PartOf = (leg) => ({
  hear: {
    async reboot(payload) {
      const { safe } = decodeMessage('reboot', payload) ?? misshapen('reboot');
      leg.log(`${leg.operator.name} reboots the device`);
      await leg.platform.reboot({ safe });
      leg.end('The device is rebooting.', true);
    },
  },
  stop: () => {},
});
