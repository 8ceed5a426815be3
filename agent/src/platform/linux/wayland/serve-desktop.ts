/** The helper's side: serves the desktop of the signed-in person to the service that has started the helper. */
import { desktopMethods } from '../../helper/desktop/serve-desktop-parts.ts';
import type { MessageChannel } from '../../helper/message-channel.ts';
import { mainObject } from '../../helper/remote-objects.ts';
import { serveObjects } from '../../helper/serve-objects.ts';
import { serveDrags } from './helper-drags.ts';
import type { PathReport, RestoreTokens, WaylandDesktop } from './wayland-path.ts';

const closeTimeoutMs = 1_000;

interface DesktopOpener {
  reportPaths(): Promise<PathReport[]>;
  openDesktop(tokens: RestoreTokens): Promise<WaylandDesktop>;
}

export function serveDesktop(channel: MessageChannel, opener: DesktopOpener): void {
  const served = serveObjects(channel);
  const { objects, emit } = served;
  objects.set(mainObject, {
    detect: () => opener.reportPaths(),
    async open(token: string) {
      const tokens = {
        read: () => token || undefined,
        keep: (next: string) => emit(mainObject, 'token', (token = next)),
      };
      const desktop = await opener.openDesktop(tokens);
      const { uriDrags, untold, lockedNote } = desktop;
      objects.set(mainObject, {
        ...desktopMethods(served, desktop),
        ...(uriDrags && {
          uriDrags: async (object: number) => serveDrags(served, object, await uriDrags()),
        }),
      });
      desktop.onLayout(() => emit(mainObject, 'layout'));
      desktop.onClose(() => {
        emit(mainObject, 'closed', desktop.whyClosed());
        // The service closes the channel when it has read the reason, which a call of its own at that moment would otherwise discard.
        setTimeout(channel.close, closeTimeoutMs);
      });
      return { untold, lockedNote, hasDrags: uriDrags !== undefined };
    },
  });
}
