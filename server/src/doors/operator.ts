/** The operator's URL of an invitation, for those without an account: whoever presses the button first gets a link, once. */
import { isFault } from '@drawbridge/contract/faults';
import { isOpen, statusAt, type Invitation } from '../domain/support.ts';
import type { House } from '../handlers/handler.ts';
import type { Store } from '../store/store.ts';
import type { Door, Knock } from './door.ts';
import { freshLink, goTo, lineOf } from './mint.ts';
import { deadLink, linkPage } from './page.ts';

const path = '/o/:token';

export function operatorDoors(house: House, store: Store): Door[] {
  const { now, invitationLifetime } = house;

  /** The invitation, if its URL opens now. */
  async function find({ params }: Knock): Promise<Invitation | undefined> {
    const invitation = await store.invitations.bySecret({ connectToken: params['token'] ?? '' });
    if (!invitation || invitation.connectUsed) return undefined;
    return isOpen(statusAt(invitation, now(), invitationLifetime)) ? invitation : undefined;
  }

  return [
    {
      method: 'GET',
      path,
      open: async (knock) =>
        (await find(knock))
          ? linkPage({
              title: 'Help a client',
              says: ['You were asked to help somebody with their computer.', 'This link opens once.'],
              form: { action: `/o/${knock.params['token']}`, button: 'Connect' },
            })
          : deadLink,
    },
    {
      method: 'POST',
      path,
      async open(knock) {
        const invitation = await find(knock);
        if (!invitation) return deadLink;
        const { accountId, id, connectToken } = invitation;
        const { code, ...fresh } = freshLink(house);
        const line = lineOf(accountId, 'operator', knock.address, { support_id: id });
        const added = await store.change('links/add-operator', { connectToken, ...fresh }, line);
        return isFault(added) ? deadLink : goTo(code);
      },
    },
  ];
}
