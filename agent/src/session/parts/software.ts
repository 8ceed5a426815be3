/** The installed programs of the device, as a list. */
import { readWord, wordBytes } from '@drawbridge/contract/session/words';
import { misshapen } from '../misshapen.ts';
import type { PartOf } from '../part.ts';

export const software: PartOf = (leg) => ({
  hear: {
    async software(payload) {
      if (!readWord('software', payload)) misshapen('software');
      leg.send('programs', wordBytes('programs', { programs: await leg.platform.software() }));
    },
  },
  stop: () => {},
});
