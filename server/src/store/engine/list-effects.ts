/** What each change means for the kept lists of devices: one entry per change, so that a new one does not compile without a decision. */
import type { Kysely } from 'kysely';
import { bumpListVersion } from '../people/account-versions.ts';
import type { ChangeInput, ChangeName } from '../changes.ts';
import type { Tables } from './schema.ts';
import type { ChangeJob } from './transaction.ts';

/**
 * `none`: no list of devices shows it. `own`: the lists of the account that the input names may show it. `inside`: the
 * change itself increments the version, because it changes rights or concerns accounts that the input does not name.
 */
type ListEffect<Name extends ChangeName> =
  | 'none'
  | 'inside'
  | (ChangeInput<Name> extends { accountId: number } ? 'own' : never);

export const listEffects = {
  'accounts/create': 'none',
  'accounts/first': 'none',
  'accounts/settings': 'own',
  'plan/set': 'inside',
  'usage/request': 'none',
  'usage/sweep': 'none',
  'audit/append': 'none',
  'server/identity': 'none',
  'brands/update': 'none',
  'brands/logo': 'none',
  'brands/remove-logo': 'none',

  'members/invite': 'inside',
  'members/remove': 'inside',
  'members/sign-in': 'none',
  'members/name': 'none',
  'members/password': 'none',
  'members/reset': 'none',
  'operators/add': 'inside',
  'operators/remove': 'inside',
  'panel/sessions/open': 'none',
  'panel/sessions/renew': 'none',
  'panel/sessions/seen': 'none',
  'panel/sessions/end': 'none',
  'panel/sessions/end-all': 'none',
  'panel/steps/begin': 'none',
  'panel/steps/try': 'none',
  'panel/steps/take': 'none',
  'panel/sweep': 'none',
  'factors/totp/begin': 'none',
  'factors/totp/confirm': 'none',
  'factors/totp/use': 'none',
  'factors/totp/remove': 'none',
  'factors/recovery/renew': 'none',
  'factors/recovery/use': 'none',
  'factors/passkey/add': 'none',
  'factors/passkey/used': 'none',
  'factors/passkey/remove': 'none',
  'keys/create': 'none',
  'keys/revoke': 'inside',
  'keys/used': 'none',
  'roles/create': 'none',
  'roles/edit': 'inside',
  'roles/remove': 'inside',
  'access/add': 'inside',
  'access/remove': 'inside',
  'departments/create': 'none',
  'departments/update': 'none',
  'departments/remove': 'inside',
  'departments/member-add': 'inside',
  'departments/member-remove': 'inside',

  'groups/create': 'none',
  'groups/edit': 'own',
  'groups/order': 'none',
  'groups/remove': 'inside',
  'groups/settings': 'own',
  'agents/add': 'own',
  'agents/rename': 'own',
  'agents/settings': 'own',
  'agents/notes': 'none',
  'agents/update': 'own',
  'agents/move': 'inside',
  'agents/remove': 'inside',
  'agents/merge': 'inside',
  'agents/favor': 'own',
  // The plan may limit the number of files, and with it devices that were added later.
  'files/add': 'own',
  'files/remove': 'own',
  'enroll/create': 'none',
  'enroll/revoke': 'none',
  'enroll/join': 'inside',
  'devices/arrive': 'own',
  'devices/kept': 'none',
  'devices/facts': 'own',
  'devices/hardware': 'none',
  'devices/software': 'none',
  'devices/approve': 'none',
  'devices/clear-copied': 'none',
  'presence/end': 'inside',
  'presence/renew': 'inside',
  'presence/extend': 'inside',
  'presence/release': 'inside',

  'sessions/start': 'own',
  'sessions/begin': 'own',
  'sessions/alive': 'none',
  'sessions/cut': 'none',
  'sessions/count': 'none',
  'sessions/resume': 'own',
  'sessions/stop': 'own',
  'sessions/note': 'none',
  'sessions/bury': 'inside',
  'recordings/keys': 'none',
  'recordings/begin': 'none',
  'recordings/chunk': 'none',
  'recordings/remove': 'none',
  'recordings/sweep': 'none',
  'invitations/create': 'none',
  'invitations/rename': 'none',
  'invitations/happen': 'none',
  'invitations/join': 'none',
  'invitations/renew': 'none',
  'invitations/leave': 'none',
  'invitations/lapse': 'none',
  'invitations/expire': 'none',
  'links/add': 'none',
  'links/add-operator': 'none',
  'links/consume': 'none',
  'links/consume-onetime': 'none',
  'links/sweep': 'none',
  'notifications/subscribe': 'none',
  'notifications/unsubscribe': 'none',
  'notifications/settings': 'none',
  'notifications/read': 'none',
  'notifications/claim': 'none',
  'notifications/release': 'none',
  'notifications/record': 'none',
  'notifications/settle': 'none',
  'notifications/tell': 'none',
  'notifications/claim-mail': 'none',
  'notifications/mailed': 'none',
  'notifications/sweep': 'none',
} as const satisfies { readonly [Name in ChangeName]: ListEffect<Name> };

/** Increments the version of the lists that show this change. */
export async function applyListEffect(db: Kysely<Tables>, { name, input }: ChangeJob): Promise<void> {
  if (listEffects[name] !== 'own') return;
  const { accountId, id } = input as { accountId: number; id?: number };
  await bumpListVersion(db, accountId, id);
}
