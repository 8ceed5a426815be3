/** Links for people who can no longer sign in, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import { passwordOfDirectory } from '../../../domain/people/directory-connection.ts';
import { hasMoreRightsThan } from '../actors.ts';
import { bumpRightsVersion } from '../account-versions.ts';
import type { ChangesOf } from '../../engine/transaction.ts';
import { forgetFactors } from './factors.ts';
import { signInDirectory } from '../directory/sign-in-directory.ts';
import { disabledByDirectory } from '../disabled-people.ts';
import { findMember } from '../members.ts';
import { lockEnabledMember } from './panel-sessions.ts';
import { addSignInLink } from './sign-in-links.ts';
import { beyondOwnRights } from '../roles.ts';

export const resetChanges: ChangesOf<'members/reset'> = {
  'members/reset': async function ({ db, now }, { accountId, by, email, link, forget }) {
    if (by !== undefined) await bumpRightsVersion(db, accountId); // locks rights while they are compared below
    const person = await findMember(db, accountId, email);
    if (!person) return fault('not_found', { field: 'email' });
    if (person.state === 'invited')
      return fault('invalid', {
        field: 'email',
        code: 'still_invited',
        message: 'This person has not signed in yet: invite them again.',
      });
    const memberRef = { accountId, memberId: person.id };
    // The row stays locked, so that nobody is disabled between this and the link, which would then be left over.
    if (!(await lockEnabledMember(db, memberRef))) return fault('invalid', disabledByDirectory);
    if (by === undefined && (await signInDirectory({ db, now }, memberRef)))
      return fault('invalid', passwordOfDirectory);
    if (by !== undefined && (await hasMoreRightsThan({ db, now }, memberRef, by)))
      return fault('forbidden', beyondOwnRights);
    await addSignInLink(db, { ...memberRef, purpose: 'sign_in', inviterId: by ?? null, ...link });
    if (forget) await forgetFactors(db, memberRef);
    return { memberId: person.id };
  },
};
