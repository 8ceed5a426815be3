/** Changes of sessions in SQL: how they begin, are interrupted, resume and end. */
import { fault } from '@drawbridge/contract/faults';
import { sql, type Kysely } from 'kysely';
import { resumeGrace } from '../../domain/sessions/sessions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { noteCause } from '../notifications/causes.ts';
import { bumpListVersions } from '../people/account-versions.ts';
import type { Tables } from '../engine/schema.ts';
import { waitingOn } from './approvals.ts';
import { auditLost } from './lost-sessions.ts';
import { isHeldBy, isHeldElsewhere } from './holders.ts';
import { relatedColumns, touchRelated } from './related.ts';

/** Updates a session only while it runs. */
const updateRunning = (db: Kysely<Tables>, accountId: number, id: number) =>
  db
    .updateTable('session')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('stop_time', 'is', null);

/** Counts one more session of the device. */
const countSessionOfAgent = (db: Kysely<Tables>, accountId: number, agentId: number, id: number) =>
  db
    .updateTable('agent')
    .set((eb) => ({
      last_session_id: id,
      sessions_total: eb('sessions_total', '+', 1),
      revision: eb('revision', '+', 1),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', agentId)
    .execute();

const addBytes = (db: Kysely<Tables>, accountId: number, id: number, bytes: number) =>
  db
    .updateTable('session')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id);

/** In one statement. A session may have been stopped in the meantime. */
async function addBytesOfMany(
  db: Kysely<Tables>,
  sessions: readonly { id: number; bytes: number }[],
): Promise<void> {
  if (sessions.length === 0) return;
  const rows = sessions.map(({ id, bytes }) => sql`(cast(${id} as bigint), cast(${bytes} as bigint))`);
  await sql`update session set bytes = session.bytes + carried.column2
    from (values ${sql.join(rows)}) as carried where session.id = carried.column1`.execute(db);
}

type ChangeNames = 'start' | 'begin' | 'alive' | 'cut' | 'count' | 'resume' | 'stop' | 'note' | 'bury';

export const sessionChanges: ChangesOf<`sessions/${ChangeNames}`> = {
  'sessions/start': async function ({ db, now }, { opening, ...session }) {
    const row = await db
      .insertInto('session')
      .values({
        account_id: session.accountId,
        agent_id: session.agentId,
        invitation_id: session.invitationId,
        member_id: session.memberId,
        login: session.login,
        start_time: session.start,
        alive_time: now,
        stop_time: null,
        client_ip: session.geo.ip,
        client_country: session.geo.country,
        client_region: session.geo.region,
        client_city: session.geo.city,
        user_agent: session.userAgent,
        bytes: 0,
        video_secret: null,
        video_size: 0,
        ...(session.reason !== undefined && { reason: session.reason }),
        provider_id: session.signIn?.providerId ?? null,
        sso_sid: session.signIn?.sid ?? '',
        ...(opening && {
          door: opening.origin,
          permissions: JSON.stringify(opening.permissions),
          secret_digest: opening.secretDigest,
          record: opening.record ? 1 : 0,
          begun: 0,
          present: 1,
          holder: opening.holder ?? '',
        }),
      })
      .returning(['id', ...relatedColumns])
      .executeTakeFirstOrThrow();
    if (opening) await touchRelated(db, [row]);
    else if (session.agentId !== null)
      await countSessionOfAgent(db, session.accountId, session.agentId, row.id);
    return { id: row.id };
  },

  'sessions/begin': async function ({ db, now }, { accountId, id, start = now }) {
    const row = await updateRunning(db, accountId, id)
      .set({ begun: 1, start_time: start, alive_time: now })
      .where('begun', '=', 0)
      .returning(['agent_id', 'approval_until'])
      .executeTakeFirst();
    if (!row?.agent_id) return { waitsOn: null };
    await countSessionOfAgent(db, accountId, row.agent_id, id);
    await noteCause({ db, now }, { accountId, kind: 'session_began', agentId: row.agent_id, sessionId: id });
    return { waitsOn: waitingOn(row, now) };
  },

  'sessions/alive': async function ({ db, now }, { sessions }) {
    if (sessions.length === 0) return {};
    await db
      .updateTable('session')
      .set({ alive_time: now })
      .where(
        'id',
        'in',
        sessions.map(({ id }) => id),
      )
      .where('holder', 'in', ['', ...sessions.flatMap(({ holder }) => holder ?? [])])
      .where('stop_time', 'is', null)
      .execute();
    await addBytesOfMany(
      db,
      sessions.filter(({ bytes }) => bytes > 0),
    );
    return {};
  },

  'sessions/cut': async function ({ db, now }, { accountId, id, bytes, ...pairing }) {
    const row = await updateRunning(db, accountId, id)
      .where(isHeldBy(pairing))
      .set((eb) => ({ present: 0, alive_time: now, bytes: eb('bytes', '+', bytes) }))
      .returning([...relatedColumns, 'approval_until'])
      .executeTakeFirst();
    if (row) await touchRelated(db, [row]);
    else if (await isHeldElsewhere(db, accountId, { id, ...pairing }))
      await addBytes(db, accountId, id, bytes).execute();
    return { waitedOn: waitingOn(row, now) };
  },

  'sessions/count': async function ({ db }, { accountId, id, bytes }) {
    await addBytes(db, accountId, id, bytes).execute();
    return {};
  },

  'sessions/resume': async function ({ db, now }, { accountId, id, permissions, holder = '' }) {
    const row = await db
      .updateTable('session')
      .set({
        present: 1,
        stop_time: null,
        ended_by: '',
        alive_time: now,
        approval_until: 0,
        permissions: JSON.stringify(permissions),
        holder,
      })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb('stop_time', 'is', null),
          eb.and([eb('ended_by', '=', 'lost'), eb('stop_time', '>', now - resumeGrace)]),
        ]),
      )
      .returning(relatedColumns)
      .executeTakeFirst();
    if (!row) return fault('not_found');
    await touchRelated(db, [row]);
    return {};
  },

  'sessions/stop': async function ({ db, now }, { accountId, id, bytes, by = 'operator', ...pairing }) {
    const row = await updateRunning(db, accountId, id)
      .where(isHeldBy(pairing))
      .set((eb) => ({
        stop_time: now,
        alive_time: now,
        bytes: eb('bytes', '+', bytes),
        present: 0,
        ended_by: by,
      }))
      .returning([...relatedColumns, 'begun', 'approval_until'])
      .executeTakeFirst();
    if (!row) {
      if (await isHeldElsewhere(db, accountId, { id, ...pairing })) return fault('not_found');
      // The server may have ended the session in the store before the number of bytes was known.
      if (by === 'server')
        await addBytes(db, accountId, id, bytes).where('ended_by', '=', 'server').execute();
      return { invitationId: null, waitedOn: null };
    }
    if (row.begun === 0)
      await db.deleteFrom('session').where('account_id', '=', accountId).where('id', '=', id).execute();
    await touchRelated(db, [row]);
    return { invitationId: row.invitation_id, waitedOn: waitingOn(row, now) };
  },

  'sessions/note': async function ({ db }, { accountId, id, note }) {
    const row = await db
      .updateTable('session')
      .set({ note })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('begun', '=', 1)
      .returning('id')
      .executeTakeFirst();
    return row ? {} : fault('not_found');
  },

  'sessions/bury': async function ({ db, now }, { silentSince }) {
    const rows = await db
      .updateTable('session')
      .set((eb) => ({ stop_time: eb.ref('alive_time'), present: 0, ended_by: 'lost' }))
      .where('stop_time', 'is', null)
      .where('alive_time', '<', silentSince)
      .returning(['id', 'begun', 'member_id', 'login', 'client_ip', 'bytes', 'approval_until'])
      .returning(relatedColumns)
      .execute();
    await auditLost(
      { db, now },
      rows.filter(({ begun }) => begun === 1),
    );
    if (rows.length > 0)
      await db.deleteFrom('session').where('begun', '=', 0).where('stop_time', 'is not', null).execute();
    await touchRelated(db, rows);
    await bumpListVersions(db, rows);
    return {
      ended: rows.map((row) => ({
        accountId: row.account_id,
        id: row.id,
        invitationId: row.invitation_id,
        waitedOn: waitingOn(row, now),
      })),
    };
  },
};
