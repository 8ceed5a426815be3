/** The networks where people signed in, in SQL: a limited number per person, each for a limited time. */
import type { Kysely } from 'kysely';
import { networkOf } from '../../../domain/networks.ts';
import { maxKnownNetworks, knownNetworkLifetime, type MemberRef } from '../../../domain/people/panel.ts';
import type { Tx } from '../../engine/transaction.ts';
import type { Tables } from '../../engine/schema.ts';

const deleteNetworksOf = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db.deleteFrom('known_network').where('account_id', '=', accountId).where('member_id', '=', memberId);

/** Records a sign-in from this network. Beyond the limit, the least recently used networks are deleted. */
export async function rememberNetwork({ db, now }: Tx, memberRef: MemberRef, address: string): Promise<void> {
  const network = networkOf(address);
  const { accountId: account_id, memberId: member_id } = memberRef;
  await db
    .insertInto('known_network')
    .values({ account_id, member_id, network, seen_time: now })
    .onConflict((conflict) => conflict.columns(['member_id', 'network']).doUpdateSet({ seen_time: now }))
    .execute();
  await deleteNetworksOf(db, memberRef)
    .where('network', '!=', network)
    .where('network', 'not in', (eb) =>
      eb
        .selectFrom('known_network as newer')
        .select('newer.network')
        .where('newer.account_id', '=', account_id)
        .where('newer.member_id', '=', member_id)
        .where('newer.network', '!=', network)
        .orderBy('newer.seen_time', 'desc')
        .orderBy('newer.network')
        .limit(maxKnownNetworks - 1),
    )
    .execute();
}

/** Deletes the known networks of a person, except this one if given: somebody else may have used the old credentials. */
export async function forgetNetworks(
  db: Kysely<Tables>,
  memberRef: MemberRef,
  address?: string,
): Promise<void> {
  const all = deleteNetworksOf(db, memberRef);
  await (address === undefined ? all : all.where('network', '!=', networkOf(address))).execute();
}

export const sweepNetworks = ({ db, now }: Tx) =>
  db
    .deleteFrom('known_network')
    .where('seen_time', '<', now - knownNetworkLifetime)
    .execute();

/** Those of these people who signed in from this network within the time that counts. */
export async function knownAt(
  db: Kysely<Tables>,
  people: readonly MemberRef[],
  { address, now }: { address: string; now: number },
): Promise<Set<number>> {
  // Also runs without people, so that an unknown address takes as long as a known one.
  const ids = [0, ...people.map(({ memberId }) => memberId)];
  const rows = await db
    .selectFrom('known_network')
    .select('member_id')
    .where('member_id', 'in', ids)
    .where('network', '=', networkOf(address))
    .where('seen_time', '>=', now - knownNetworkLifetime)
    .execute();
  return new Set(rows.map(({ member_id }) => member_id));
}
