/** The installed programs of the device, as a list. */
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import { misshapen } from '../misshapen.ts';
import type { PartOf } from '../part.ts';

export const software: PartOf = (leg) => ({
  hear: {
    async software(payload) {
      if (!decodeMessage('software', payload)) misshapen('software');
      leg.send('programs', encodeMessage('programs', { programs: await leg.platform.software() }));
    },
  },
  stop: () => {},
});
