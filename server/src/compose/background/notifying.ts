/** Starts what evaluates and mails notifications. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { ShareLimiter } from '../../edges/guess-limiter.ts';
import type { Log } from '../../edges/log.ts';
import { createNotifier, type Notifier } from '../../jobs/notifications/notifier.ts';
import { createMailSender } from '../../panel/sign-in/mail.ts';
import type { Store } from '../../store/store.ts';

const notifyEveryMs = 5_000;

/** Notifications have a limit of e-mails of their own, so that they do not use up that of sign-in links. */
export function createServerNotifier(
  store: Store,
  config: () => Config,
  { share, log }: { share: ShareLimiter; log: Log },
): Notifier {
  const send = createMailSender(config().mail, log, { share, kind: 'notifications' });
  const mail = send && { send, publicUrl: () => config().publicUrl };
  return createNotifier(store, randomUUID(), mail);
}

export function startNotifying(notifier: Notifier, log: Log): () => Promise<void> {
  const warn = (error: unknown): void => log.warn({ err: error }, 'notifying failed; trying again later');
  const timer = setInterval(() => void notifier.run().catch(warn), notifyEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await notifier.close().catch(warn);
  };
}
