/** The clipboard through the portal; where the portal does not share it, through the compositor, as on KDE. */
import type { Clipboard } from '../../../desktop.ts';
import { variant, type SessionBus } from '../dbus/session-bus.ts';
import { createSelectionClipboard } from '../selection-clipboard.ts';
import { portalInterface } from './requests.ts';

interface Owner {
  mime_types?: unknown[];
  session_is_owner?: boolean;
}

export async function openPortalClipboard(bus: SessionBus, session: string): Promise<Clipboard> {
  const portal = portalInterface('Clipboard');
  const clipboard = createSelectionClipboard({
    offer: (types) =>
      bus.call(portal, 'SetSelection', 'oa{sv}', session, { mime_types: variant('as', types) }),
    read: (type) => bus.call(portal, 'SelectionRead', 'os', session, type),
    write: (serial) => bus.call(portal, 'SelectionWrite', 'ou', session, serial),
    written: (serial, isWritten) => bus.call(portal, 'SelectionWriteDone', 'oub', session, serial, isWritten),
  });
  const stops = await Promise.all([
    bus.onSignal(portal, 'SelectionOwnerChanged', (of, owner) => {
      const { mime_types: types, session_is_owner: isOwn = false } = owner as Owner;
      if (of === session) void clipboard.ownerChanged([types ?? []].flat(2), isOwn);
    }),
    bus.onSignal(portal, 'SelectionTransfer', (of, _, serial) => {
      if (of === session) void clipboard.requested(serial as number);
    }),
  ]);
  return {
    ...clipboard,
    close() {
      clipboard.close();
      stops.forEach((stop) => stop());
    },
  };
}

/** A clipboard that is used as soon as it is open. If it cannot be opened, it stays empty. */
export function openLater(opening: Promise<Clipboard>): Clipboard {
  let isOpen = true;
  const use = (work: (clipboard: Clipboard) => void): void =>
    void opening.then((clipboard) => isOpen && work(clipboard)).catch(() => {});
  return {
    onChange: (listener) => use((clipboard) => clipboard.onChange(listener)),
    write: (text) => use((clipboard) => clipboard.write(text)),
    close() {
      isOpen = false;
      void opening.then((clipboard) => clipboard.close()).catch(() => {});
    },
  };
}
