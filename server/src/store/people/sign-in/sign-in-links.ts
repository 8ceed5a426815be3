/** Links that sign a person in, in SQL. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../engine/schema.ts';

interface NewSignInLink {
  accountId: number;
  memberId: number;
  purpose: 'sign_in' | 'invite';
  inviterId: number | null;
  digest: string;
  expireTime: number;
}

export async function addSignInLink(db: Kysely<Tables>, link: NewSignInLink): Promise<void> {
  await db
    .insertInto('sign_in_link')
    .values({
      digest: link.digest,
      account_id: link.accountId,
      member_id: link.memberId,
      purpose: link.purpose,
      inviter_id: link.inviterId,
      expire_time: link.expireTime,
      used_time: null,
    })
    .execute();
}
