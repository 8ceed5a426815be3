/** Steps of signing in that must be finished within minutes, in SQL. Only the digest of their token is stored. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { SignInStep, ProvenMemberRef } from '../../../domain/people/panel.ts';
import type { ChangesOf } from '../../engine/transaction.ts';
import type { NewSignInStep } from '../../changes.ts';
import type { Tables } from '../../engine/schema.ts';

export async function addSignInStep(db: Kysely<Tables>, step: NewSignInStep): Promise<void> {
  await db
    .insertInto('sign_in_step')
    .values({
      digest: step.digest,
      kind: step.kind,
      member_ids: JSON.stringify(step.members),
      challenge: step.challenge,
      tries_left: step.tries,
      expire_time: step.expireTime,
    })
    .execute();
}

const toSignInStep = (row: { member_ids: string; challenge: string }): SignInStep => ({
  members: JSON.parse(row.member_ids) as ProvenMemberRef[],
  challenge: row.challenge,
});

export const signInStepChanges: ChangesOf<`panel/steps/${'begin' | 'try' | 'take'}`> = {
  'panel/steps/begin': async function ({ db }, step) {
    await addSignInStep(db, step);
    return {};
  },

  'panel/steps/try': async function ({ db, now }, { digest, kind }) {
    const row = await db
      .updateTable('sign_in_step')
      .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
      .where('digest', '=', digest)
      .where('kind', '=', kind)
      .where('tries_left', '>', 0)
      .where('expire_time', '>', now)
      .returning(['member_ids', 'challenge'])
      .executeTakeFirst();
    return row ? toSignInStep(row) : fault('not_found');
  },

  'panel/steps/take': async function ({ db, now }, { digest, kind }) {
    const row = await db
      .deleteFrom('sign_in_step')
      .where('digest', '=', digest)
      .where('kind', '=', kind)
      .where('expire_time', '>', now)
      .returning(['member_ids', 'challenge'])
      .executeTakeFirst();
    return row ? toSignInStep(row) : fault('not_found');
  },
};
