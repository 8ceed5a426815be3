/** `relay key`: prints the setting with which a relay in another region carries the sessions of this server. */
import { loadIdentity } from '../../gateway/devices/identity.ts';
import type { AdminCommand } from '../command.ts';
import { withStore } from '../store-access.ts';

export const relayKey: AdminCommand = {
  name: 'relay key',
  says: 'Print the setting with which a relay carries the sessions of this server.',
  options: {},
  run: (_args, context) =>
    withStore(context, async (store) => {
      const { publicKey } = await loadIdentity(store);
      return { data: { key: publicKey }, says: `DRAWBRIDGE_RELAY_SERVERS=${publicKey}` };
    }),
};
