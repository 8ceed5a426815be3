/** Lists the installed programs of the device. */
import type { FeatureFactory } from '../feature.ts';

export const softwareFeature: FeatureFactory = (context) => ({
  handlers: {
    async software() {
      context.send('programs', { programs: await context.platform.software() });
    },
  },
  stop: () => {},
});
