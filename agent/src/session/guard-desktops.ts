/** Refuses desktops on which the person cannot be told who is connected, unless the policy of the device allows them. */
import type { Policy } from '@drawbridge/contract/policy';
import type { Desktop } from '../platform/desktop.ts';
import { NotPossible, type Platform } from '../platform/platform.ts';

export interface GuardedDesktops {
  /** The platform whose desktops are guarded. */
  platform: Platform;
  /** Whether a desktop is open on which the person cannot be told. */
  isUntold(): boolean;
}

/** `policy` is read whenever a desktop is opened, because the next one may be of another kind. */
export function guardDesktops(platform: Platform, policy: () => Policy): GuardedDesktops {
  const open = new Set<Desktop>();
  return {
    isUntold: () => open.size > 0,
    platform: {
      ...platform,
      async desktop() {
        const desktop = await platform.desktop();
        if (desktop.untold === undefined) return desktop;
        if (policy().notice === 'required') {
          desktop.close();
          throw new NotPossible(
            `The screen is not shown, because the policy of this device requires that the person is told. ${desktop.untold}`,
          );
        }
        // Each caller closes its own, though a platform may give the same one to several.
        const own: Desktop = { ...desktop, close };
        function close(): void {
          open.delete(own);
          desktop.close();
        }
        open.add(own);
        desktop.onClose(() => open.delete(own));
        return own;
      },
    },
  };
}
