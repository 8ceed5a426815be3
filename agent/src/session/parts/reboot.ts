/** A reboot asked for in a session: the operator is told to come back, and the machine goes down. */
import { readWord } from '@drawbridge/contract/session/words';
import { misshapen } from '../misshapen.ts';
import type { PartOf } from '../part.ts';

export const reboot: PartOf = (leg) => ({
  hear: {
    async reboot(payload) {
      const { safe } = readWord('reboot', payload) ?? misshapen('reboot');
      leg.log(`${leg.operator.name} reboots the device`);
      await leg.platform.reboot({ safe });
      leg.end('The device is rebooting.', true);
    },
  },
  stop: () => {},
});
