/** Which directory checks the password of a person, in SQL. */
import type { MemberRef, SignInDirectory } from '../../../domain/people/panel.ts';
import type { Tx } from '../../engine/transaction.ts';
import { hasMoreRightsThan } from '../actors.ts';

/**
 * The directory with whose password the person signs in; undefined if they have a password here. The person who last
 * changed its settings decides which server is asked, and so could sign in as anybody who came from there. So it is
 * not asked about people with more rights than that person, nor about the owner and server administrators.
 */
export async function signInDirectory(
  tx: Tx,
  { accountId, memberId }: MemberRef,
): Promise<SignInDirectory | undefined> {
  const row = await tx.db
    .selectFrom('member')
    .innerJoin('directory', 'directory.id', 'member.directory_id')
    .select(['directory.id', 'directory.member_id', 'member.directory_uid'])
    .where('member.account_id', '=', accountId)
    .where('member.id', '=', memberId)
    .where('directory.account_id', '=', accountId)
    .where('directory.sign_in', '=', 1)
    .where('member.owner', '=', 0)
    .where('member.operator', '=', 0)
    .executeTakeFirst();
  if (!row || row.directory_uid === null) return undefined;
  const isHigher = await hasMoreRightsThan(tx, { accountId, memberId }, row.member_id);
  return isHigher ? undefined : { directoryId: row.id, uid: row.directory_uid };
}
