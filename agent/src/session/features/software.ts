/** Lists the installed programs of the device. */
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';

export const softwareFeature: FeatureFactory = (context) => ({
  handlers: {
    async software(payload) {
      if (!decodeMessage('software', payload)) malformed('software');
      context.send('programs', encodeMessage('programs', { programs: await context.platform.software() }));
    },
  },
  stop: () => {},
});
