/** Which directory checks the password of a person, in SQL. */
import type { MemberRef, SignInDirectory } from '../../../domain/people/panel.ts';
import type { Tx } from '../../engine/transaction.ts';

/**
 * The directory with whose password the person signs in; undefined if they have a password here, as the owner and
 * server administrators always do. A server administrator has decided that this directory gets passwords.
 */
export async function signInDirectory(
  tx: Tx,
  { accountId, memberId }: MemberRef,
): Promise<SignInDirectory | undefined> {
  const row = await tx.db
    .selectFrom('member')
    .innerJoin('directory', 'directory.id', 'member.directory_id')
    .select(['directory.id', 'member.directory_uid'])
    .where('member.account_id', '=', accountId)
    .where('member.id', '=', memberId)
    .where('directory.account_id', '=', accountId)
    .where('directory.sign_in', '=', 1)
    .where('member.owner', '=', 0)
    .where('member.operator', '=', 0)
    .executeTakeFirst();
  return row && row.directory_uid !== null ? { directoryId: row.id, uid: row.directory_uid } : undefined;
}
