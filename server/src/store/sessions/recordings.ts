/** Changes of recordings in SQL: adding chunks and removing recordings. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import { mayAppendChunks } from '../../domain/sessions/recordings.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { ChangeInput } from '../changes.ts';
import { recordingLeft } from '../people/plan.ts';
import type { OrphanedBlob } from '../records.ts';
import type { Tables } from '../engine/schema.ts';

/** The number of sessions that one change clears. */
const sweepBatchSize = 20;

const outOfOrder = fault('invalid', { code: 'out_of_order', message: 'This is not the next chunk.' });
const storageFull = fault('plan_exceeded', { message: 'The recording storage of the account is full.' });

/** Locks the account's row, so that two concurrent uploads cannot both use the last bytes that the plan allows. */
const lockAccount = (db: Kysely<Tables>, accountId: number) =>
  db
    .updateTable('account')
    .set((eb) => ({ plan_recording_mb: eb.ref('plan_recording_mb') }))
    .where('account_id', '=', accountId)
    .execute();

const findRecording = (db: Kysely<Tables>, accountId: number, id: number) =>
  db
    .selectFrom('recording')
    .innerJoin('session', 'session.id', 'recording.session_id')
    .select(['recording.session_id', 'recording.chunks', 'recording.complete', 'recording.public_key'])
    .select(['session.stop_time', 'session.video_secret'])
    .where('recording.account_id', '=', accountId)
    .where('recording.id', '=', id)
    .executeTakeFirst();

const digestAt = async (db: Kysely<Tables>, accountId: number, id: number, number: number) =>
  (
    await db
      .selectFrom('recording_chunk')
      .select('digest')
      .where('account_id', '=', accountId)
      .where('recording_id', '=', id)
      .where('number', '=', number)
      .executeTakeFirst()
  )?.digest;

async function addChunk(db: Kysely<Tables>, chunk: ChangeInput<'recordings/chunk'>): Promise<void> {
  const { accountId, id, number, publicKey, last } = chunk;
  await db
    .insertInto('recording_chunk')
    .values({
      account_id: accountId,
      recording_id: id,
      number,
      from_ms: chunk.from,
      to_ms: chunk.to,
      size: chunk.size,
      digest: chunk.digest,
      whole: chunk.whole ? 1 : 0,
      place: chunk.blobKey,
    })
    .execute();
  await db
    .updateTable('recording')
    .set({ chunks: number + 1, public_key: publicKey, complete: last ? 1 : 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Removes the recordings of one session and returns their blobs. */
async function removeRecordings(
  db: Kysely<Tables>,
  accountId: number,
  sessionId: number,
): Promise<OrphanedBlob[]> {
  const chunks = await db
    .selectFrom('recording_chunk')
    .innerJoin('recording', 'recording.id', 'recording_chunk.recording_id')
    .select('recording_chunk.place')
    .where('recording_chunk.account_id', '=', accountId)
    .where('recording.session_id', '=', sessionId)
    .execute();
  await db
    .deleteFrom('recording')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .execute();
  await db
    .updateTable('session')
    .set({ video_secret: null, video_size: 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .execute();
  return chunks.map(({ place }) => ({ accountId, blobKey: place }));
}

export const recordingChanges: ChangesOf<`recordings/${'keys' | 'begin' | 'chunk' | 'remove' | 'sweep'}`> = {
  'recordings/keys': async function ({ db }, { account, keys: { privateKey, publicKey } }) {
    await db
      .insertInto('recording_key')
      .values({ account_id: account, private_key: privateKey, public_key: publicKey })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await db
      .selectFrom('recording_key')
      .selectAll()
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    return { privateKey: row.private_key, publicKey: row.public_key };
  },

  'recordings/begin': async function ({ db, now }, { accountId, sessionId, tokenDigest }) {
    const session = await db
      .selectFrom('session')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', sessionId)
      .executeTakeFirst();
    if (!session) return fault('not_found');
    return db
      .insertInto('recording')
      .values({
        account_id: accountId,
        session_id: sessionId,
        token_digest: tokenDigest,
        create_time: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  },

  'recordings/chunk': async function ({ db, now }, chunk) {
    const { accountId, id, number, digest, size, publicKey, secret } = chunk;
    await lockAccount(db, accountId);
    const known = await findRecording(db, accountId, id);
    if (!known || !mayAppendChunks(known.stop_time, now)) return fault('not_found');
    if (number === known.chunks - 1 && (await digestAt(db, accountId, id, number)) === digest)
      return { repeated: true };
    const isSame = known.chunks === 0 || known.public_key === publicKey;
    if (number !== known.chunks || known.complete === 1 || !isSame) return outOfOrder;
    const left = await recordingLeft(db, accountId);
    if (left !== null && left < size) return storageFull;
    await addChunk(db, chunk);
    await db
      .updateTable('session')
      .set((eb) => ({
        video_secret: known.video_secret ?? secret,
        video_size: eb('video_size', '+', size),
      }))
      .where('account_id', '=', accountId)
      .where('id', '=', known.session_id)
      .execute();
    return { repeated: false };
  },

  'recordings/remove': async function ({ db }, { accountId, sessionId }) {
    const recorded = await db
      .selectFrom('session')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', sessionId)
      .where('video_secret', 'is not', null)
      .executeTakeFirst();
    return recorded
      ? { left: await removeRecordings(db, accountId, sessionId) }
      : fault('not_found', { field: 'id' });
  },

  'recordings/sweep': async function ({ db }, { endedBefore, emptySince }) {
    await db.deleteFrom('recording').where('chunks', '=', 0).where('create_time', '<', emptySince).execute();
    const old = await db
      .selectFrom('session')
      .select(['id', 'account_id'])
      .where('stop_time', '<', endedBefore)
      .where('video_secret', 'is not', null)
      .orderBy('id')
      .limit(sweepBatchSize)
      .execute();
    const left: OrphanedBlob[] = [];
    for (const { id, account_id: accountId } of old)
      left.push(...(await removeRecordings(db, accountId, id)));
    return { left, more: old.length === sweepBatchSize };
  },
};
