/** The creators and clients of invitations. One function per row of contract/src/panel/support.ts. */
import type { panelSupport as table } from '@drawbridge/contract/panel/support';
import type { PanelHandlers } from '../handler.ts';

export const panelSupportHandlers: PanelHandlers<typeof table> = {
  'support/creators': async ({ actor, granted: [scope] }, { store, now, invitationLifetime }) => {
    const { accountId, memberId } = actor;
    const owner = scope === 'all' ? 'everyone' : memberId;
    const open = await store.invitations.open(accountId, owner, now() - invitationLifetime);
    const creators = new Set(open.flatMap((invitation) => invitation.memberId ?? []));
    const addresses = await store.members.addresses(accountId, [...creators]);
    const data = open.flatMap((invitation) => {
      const email = addresses.get(invitation.memberId ?? 0);
      return email === undefined ? [] : { connection_id: invitation.id, email };
    });
    return { data };
  },

  'support/clients': async ({ actor, input }, { store }) => {
    if (!actor.owner) return { data: [] };
    const names = await store.invitations.clientNames(actor.accountId, input.ids.split(',').map(Number));
    return { data: names.map(({ id, clientName }) => ({ connection_id: id, client_name: clientName })) };
  },
};
