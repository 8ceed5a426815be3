/** The operator's URL of an invitation, for those without an account: whoever presses the button first gets a link, once. */
import { isFault } from '@drawbridge/contract/faults';
import { isOpen, statusAt, type Invitation } from '../domain/support.ts';
import type { House } from '../handlers/handler.ts';
import type { Store } from '../store/store.ts';
import { buttonDoors } from './button.ts';
import type { Door, Knock } from './door.ts';
import { freshLink, goTo, lineOf } from './mint.ts';
import { deadLink } from './page.ts';

export function operatorDoors(house: House, store: Store): Door[] {
  const { now, invitationLifetime } = house;

  /** The invitation, if its URL opens now. */
  async function find({ params }: Knock): Promise<Invitation | undefined> {
    const invitation = await store.invitations.bySecret({ connectToken: params['token'] ?? '' });
    if (!invitation || invitation.connectUsed) return undefined;
    return isOpen(statusAt(invitation, now(), invitationLifetime)) ? invitation : undefined;
  }

  return buttonDoors({
    path: '/o/:token',
    find,
    title: 'Help a client',
    says: ['You were asked to help somebody with their computer.'],
    async press({ accountId, id, connectToken }, knock) {
      const { code, ...fresh } = freshLink(house);
      const line = lineOf(accountId, 'operator', knock.address, { support_id: id });
      const added = await store.change('links/add-operator', { connectToken, ...fresh }, line);
      return isFault(added) ? deadLink : goTo(code);
    },
  });
}
