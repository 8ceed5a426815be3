/** The hidden command that the agent starts on another desktop of Windows: serves its screen and input until the agent closes the channel. */
import { Socket } from 'node:net';
import { desktopMethods } from '../../helper/desktop/serve-desktop-parts.ts';
import { createMessageChannel } from '../../helper/message-channel.ts';
import { mainObject } from '../../helper/remote-objects.ts';
import { serveObjects } from '../../helper/serve-objects.ts';
import { openOwnDesktop } from '../desktop.ts';
import { openCapture } from '../screen/capture.ts';
import { loadDesktopApi } from '../screen/desktop-api.ts';
import { openFrameMapping } from './frame-mapping.ts';

export async function runInputDesktopHelper(): Promise<number> {
  const channel = createMessageChannel(new Socket({ fd: 0 }), new Socket({ fd: 1 }));
  const closed = Promise.withResolvers<void>();
  channel.onClose(closed.resolve);
  const served = serveObjects(channel);
  served.objects.set(mainObject, {
    async open(name: string, length: number) {
      const api = await loadDesktopApi();
      const { words } = openFrameMapping(api, name, length);
      const desktop = { ...openOwnDesktop(api), capture: () => openCapture(api, words) };
      served.objects.set(mainObject, desktopMethods(served, desktop));
    },
  });
  await closed.promise;
  // Windows removes the helper's windows, and does not release what is pressed.
  await Promise.allSettled([...served.objects.values()].map(async (methods) => methods['close']?.()));
  process.exit(0);
}
