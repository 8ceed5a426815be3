/** Reads of recordings in SQL. Their bytes are in a blob store. */
import type { Kysely, Selectable } from 'kysely';
import type { Reader } from '../engine/database.ts';
import { recordingLeft } from '../people/plan.ts';
import type { RecordedChunk, RecordedSession, RecordedTake, RecordingReads } from '../records.ts';
import type { Tables } from '../engine/schema.ts';

const toChunk = (row: Selectable<Tables['recording_chunk']>): RecordedChunk => ({
  number: row.number,
  from: row.from_ms,
  to: row.to_ms,
  size: row.size,
  digest: row.digest,
  whole: row.whole === 1,
  blobKey: row.place,
});

async function findRecordedSession(db: Kysely<Tables>, id: number): Promise<RecordedSession | undefined> {
  const row = await db
    .selectFrom('session')
    .select(['account_id', 'agent_id', 'invitation_id', 'login', 'start_time', 'video_secret'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.video_secret === null) return undefined;
  return {
    id,
    accountId: row.account_id,
    agentId: row.agent_id,
    invitationId: row.invitation_id,
    login: row.login,
    start: row.start_time,
    secret: row.video_secret,
  };
}

async function takesOf(db: Kysely<Tables>, accountId: number, sessionId: number): Promise<RecordedTake[]> {
  const recordings = await db
    .selectFrom('recording')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .where('chunks', '>', 0)
    .orderBy('id')
    .execute();
  return Promise.all(
    recordings.map(async ({ id, public_key: publicKey, complete }) => ({
      id,
      publicKey,
      complete: complete === 1,
      chunks: await chunksOf(db, accountId, id),
    })),
  );
}

async function chunksOf(
  db: Kysely<Tables>,
  accountId: number,
  recordingId: number,
): Promise<RecordedChunk[]> {
  const rows = await db
    .selectFrom('recording_chunk')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('recording_id', '=', recordingId)
    .orderBy('number')
    .execute();
  return rows.map(toChunk);
}

async function findChunk(
  db: Kysely<Tables>,
  accountId: number,
  { sessionId, takeId, number }: { sessionId: number; takeId: number; number: number },
): Promise<RecordedChunk | undefined> {
  const row = await db
    .selectFrom('recording_chunk')
    .innerJoin('recording', 'recording.id', 'recording_chunk.recording_id')
    .selectAll('recording_chunk')
    .where('recording_chunk.account_id', '=', accountId)
    .where('recording.session_id', '=', sessionId)
    .where('recording.id', '=', takeId)
    .where('recording_chunk.number', '=', number)
    .executeTakeFirst();
  return row && toChunk(row);
}

export const recordingReads = (reader: Reader): RecordingReads => ({
  async keys(accountId) {
    // Row-level security hides this table from connections of the account.
    const row = await reader('all')
      .selectFrom('recording_key')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && { privateKey: row.private_key, publicKey: row.public_key };
  },

  remainingBytes: (accountId) => recordingLeft(reader(accountId), accountId),

  async find(id) {
    const row = await reader('all')
      .selectFrom('recording')
      .select(['account_id', 'token_digest'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { accountId: row.account_id, tokenDigest: row.token_digest };
  },

  session: (id) => findRecordedSession(reader('all'), id),
  takes: (accountId, sessionId) => takesOf(reader(accountId), accountId, sessionId),
  chunk: (accountId, at) => findChunk(reader(accountId), accountId, at),

  async referencedKeys(accountId, blobKeys) {
    const rows = await reader(accountId)
      .selectFrom('recording_chunk')
      .select('place')
      .where('account_id', '=', accountId)
      .where('place', 'in', blobKeys)
      .execute();
    return rows.map(({ place }) => place);
  },
});
