/** Opens desktops for the features of sessions only while the banner is on the same desktop, so that no person is seen without it. */
import { NotPossible, type Platform } from '../platform/platform.ts';
import type { Notice } from './notice.ts';

/** `platform` gives everybody the same desktop while somebody uses it, and the banner does. */
export function tellBeforeShowing(platform: Platform, notice: Notice): Platform {
  return {
    ...platform,
    async desktop() {
      const isTold = await notice.onDesktop();
      const desktop = await platform.desktop();
      // The platform has compared it with the policy.
      if (desktop.untold !== undefined || isTold()) return desktop;
      desktop.close();
      throw new NotPossible(
        'The screen is not shown yet, because the person at the device must be told first.',
        { isBrief: true },
      );
    },
  };
}
