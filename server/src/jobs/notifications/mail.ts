/** Mails notifications: one e-mail per person for all that are due, as far as the person may still see them. */
import { notificationsEmail, type Email } from '../../domain/emails.ts';
import { notificationTitle } from '../../domain/notifications/notification-text.ts';
import {
  defaultMailKinds,
  mailRetryAfter,
  notificationViewer,
} from '../../domain/notifications/notifications.ts';
import type { ChangeOutput } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';

export interface MailDeps {
  /** Returns whether it was sent. */
  send(message: Email): Promise<boolean>;
  publicUrl(): string;
}

type ClaimedMails = ChangeOutput<'notifications/claim-mail'>['mails'];

/** How many notifications one process takes at once. */
const maxMails = 20;
/** How long sending may take before another process tries, in seconds. */
const claimSeconds = 900;

/** Stops early when `signal` is aborted; what was not sent is due again at once. */
export async function mailNotifications(store: Store, deps: MailDeps, signal: AbortSignal): Promise<void> {
  if (!(await store.notifications.hasMail(store.now()))) return;
  const until = store.now() + claimSeconds;
  const { mails } = await store.change('notifications/claim-mail', { until, limit: maxMails });
  for (const own of Map.groupBy(mails, (mail) => mail.memberId).values()) {
    const isDone = !signal.aborted && (await mailOne(store, own, deps));
    const attempts = Math.max(...own.map((mail) => mail.attempts));
    const delay = isDone ? null : signal.aborted ? 0 : mailRetryAfter(attempts);
    await store.change('notifications/mailed', {
      ids: own.map(({ id }) => id),
      retryTime: delay === null ? null : store.now() + delay,
    });
  }
}

/** Returns false if it should be tried again. Only what the person may still see and still wants by mail is mailed. */
async function mailOne(store: Store, mails: ClaimedMails, { send, publicUrl }: MailDeps): Promise<boolean> {
  const { accountId, memberId } = mails[0]!;
  const actor = await store.actors.byId(accountId, memberId);
  if (!actor) return true;
  const ids = mails.map(({ id }) => id);
  const found = await store.notifications.list(notificationViewer(actor), { ids, limit: ids.length });
  const kinds = (await store.notifications.mailKinds({ accountId, memberId })) ?? defaultMailKinds;
  const wanted = found.filter(({ read, kind }) => !read && kinds.includes(kind));
  if (wanted.length === 0) return true;
  const page = `${publicUrl()}/panel/notifications`;
  return send(
    notificationsEmail(actor.email, {
      notifications: wanted.map((each) => ({ title: notificationTitle(each), time: each.time })),
      pages: { list: page, settings: `${page}/settings` },
      messageId: `<notification-${wanted[0]!.id}@${new URL(page).hostname}>`,
    }),
  );
}
