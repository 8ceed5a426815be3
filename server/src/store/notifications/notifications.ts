/** The notifications of people in SQL: listed as far as they may see them, read, mailed, and deleted after a time. */
import type { NotificationKind } from '@drawbridge/contract/choices';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { maxLinkedItems, type NotificationViewer } from '../../domain/notifications/notifications.ts';
import type { Reader } from '../engine/database.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { hasIdIn, isInScope } from '../people/scope.ts';
import type { NotificationReads, NotificationRecord } from './notification-records.ts';
import { evaluationReads } from './evaluation-reads.ts';
import { namedSubscriptions } from './subscriptions.ts';

/** How many of the devices a notification names. */
const maxNamed = 3;

/** True for items about something that the person may still be notified of. */
const isVisibleTo = ({
  memberId,
  devices,
  sessions,
  invitations,
}: NotificationViewer): RawBuilder<SqlBool> => {
  const client = {
    all: sql<SqlBool>`invitation.id is not null`,
    own: sql<SqlBool>`invitation.member_id = ${memberId}`,
    none: sql<SqlBool>`1 = 0`,
  }[invitations];
  return sql<SqlBool>`(case item.kind when 'client_waits' then ${client}
    when 'session_began' then agent.id is not null and ${isInScope(devices)} and ${isInScope(sessions)}
    else agent.id is not null and ${isInScope(devices)} end)`;
};

/** The notifications of a person, each with the items of it that they may see. */
const selectVisible = (db: Kysely<Tables>, viewer: NotificationViewer) =>
  db
    .selectFrom('notification')
    .innerJoin('notification_item as item', 'item.notification_id', 'notification.id')
    .leftJoin('agent', 'agent.id', 'item.agent_id')
    .leftJoin('invitation', 'invitation.id', 'item.invitation_id')
    .where('notification.account_id', '=', viewer.accountId)
    .where('notification.member_id', '=', viewer.memberId)
    .where(isVisibleTo(viewer));

async function list(
  db: Kysely<Tables>,
  viewer: NotificationViewer,
  { before, ids, limit }: Parameters<NotificationReads['list']>[1],
): Promise<NotificationRecord[]> {
  let query = selectVisible(db, viewer)
    .select((eb) => eb.fn.countAll<number>().as('visible'))
    .select(['notification.id', 'notification.kind', 'notification.time'])
    .select(['notification.read_time', 'notification.total'])
    .groupBy('notification.id');
  if (before !== undefined) query = query.where('notification.id', '<', before);
  if (ids !== undefined) query = query.where(hasIdIn('notification.id', ids));
  const rows = await query.orderBy('notification.id', 'desc').limit(limit).execute();
  const subjects = await subjectsOf(
    db,
    viewer,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as NotificationKind,
    time: row.time,
    read: row.read_time !== null,
    // The whole number only if the person may see all that is linked.
    count: Number(row.visible) === Math.min(row.total, maxLinkedItems) ? row.total : Number(row.visible),
    subjects: subjects.get(row.id) ?? [],
  }));
}

type Subjects = Map<number, NotificationRecord['subjects'][number][]>;

/** What these notifications are about: a few of the items that the person may see. */
async function subjectsOf(
  db: Kysely<Tables>,
  viewer: NotificationViewer,
  ids: readonly number[],
): Promise<Subjects> {
  const numbered = selectVisible(db, viewer)
    .leftJoin('session', 'session.id', 'item.session_id')
    .select(['notification.id', 'item.agent_id', 'agent.name', 'session.login'])
    .select('invitation.client_name')
    .select(
      sql<number>`row_number() over (partition by notification.id order by agent.name_folded, item.cause)`.as(
        'place',
      ),
    )
    .where(hasIdIn('notification.id', ids));
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where('place', '<=', maxNamed)
    .orderBy('id')
    .orderBy('place')
    .execute();
  const subjects: Subjects = new Map();
  for (const row of rows) {
    const client = viewer.seesClientNames ? row.client_name : '';
    const subject = { agentId: row.agent_id, name: row.name ?? client ?? '', operator: row.login ?? '' };
    subjects.set(row.id, [...(subjects.get(row.id) ?? []), subject]);
  }
  return subjects;
}

async function unread(db: Kysely<Tables>, viewer: NotificationViewer): Promise<number> {
  const row = await selectVisible(db, viewer)
    .select((eb) => eb.fn.count<number>('notification.id').distinct().as('count'))
    .where('notification.read_time', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export const notificationReads = (reader: Reader): NotificationReads => ({
  ...evaluationReads(reader),
  subscriptions: (memberRef) => namedSubscriptions(reader(memberRef.accountId), memberRef),
  list: (viewer, page) => list(reader(viewer.accountId), viewer, page),
  unread: (viewer) => unread(reader(viewer.accountId), viewer),

  async mailKinds({ accountId, memberId }) {
    const row = await reader(accountId)
      .selectFrom('notification_settings')
      .select('mail')
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .executeTakeFirst();
    return row && (JSON.parse(row.mail) as NotificationKind[]);
  },
});

type ChangeNames = 'read' | 'claim-mail' | 'mailed' | 'sweep';

export const notificationChanges: ChangesOf<`notifications/${ChangeNames}`> = {
  'notifications/read': async function ({ db, now }, { accountId, memberId, ids, upTo }) {
    let query = db
      .updateTable('notification')
      .set({ read_time: now })
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('read_time', 'is', null);
    if (ids !== undefined) query = query.where('id', 'in', [...ids]);
    if (upTo !== undefined) query = query.where('id', '<=', upTo);
    await query.execute();
    return {};
  },

  // One statement decides which process sends an e-mail.
  'notifications/claim-mail': async function ({ db, now }, { until, limit }) {
    const mails = await db
      .updateTable('notification')
      .set((eb) => ({ mail_time: until, mail_attempts: eb('mail_attempts', '+', 1) }))
      .where('mail_time', '<=', now)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('notification as due')
          .select('due.id')
          .where('due.mail_time', '<=', now)
          .orderBy('due.id')
          .limit(limit),
      )
      .returning(['id', 'account_id as accountId', 'member_id as memberId', 'mail_attempts as attempts'])
      .execute();
    return { mails };
  },

  'notifications/mailed': async function ({ db }, { ids, retryTime }) {
    if (ids.length > 0)
      await db
        .updateTable('notification')
        .set({ mail_time: retryTime })
        .where('id', 'in', [...ids])
        .where('mail_time', 'is not', null)
        .execute();
    return {};
  },

  'notifications/sweep': async function ({ db }, { before }) {
    await db.deleteFrom('notification').where('time', '<', before).execute();
    await db.deleteFrom('notification_item').where('told_time', '<', before).where('open', '=', 0).execute();
    await db
      .deleteFrom('notification_item')
      .where('told_time', 'is', null)
      .where('due_time', '<', before)
      .execute();
    await db.deleteFrom('notification_cause').where('time', '<', before).execute();
    return {};
  },
};
