/** Starts what delivers messages to webhooks. */
import type { Config } from '../../config/config.ts';
import type { ShareLimiter } from '../../edges/guess-limiter.ts';
import type { Log } from '../../edges/log.ts';
import { createWebhookSender } from '../../edges/webhook/send-webhook.ts';
import type { SendWebhook } from '../../domain/webhooks.ts';
import { deliverWebhooks } from '../../jobs/deliver-webhooks.ts';
import { createMailSender } from '../../panel/sign-in/mail.ts';
import type { Store } from '../../store/store.ts';

const roundMs = 2_000;

/** What one request to a webhook may take. */
const webhookLimits = { ms: 10_000, bytes: 65_536 };

export const createServerWebhookSender = (config: Config, store: Pick<Store, 'now'>): SendWebhook =>
  createWebhookSender({ limits: webhookLimits, allowLoopback: config.webhookLoopback }, () => store.now());

/** A message that is being sent when the server stops is noted before the store closes. */
export function startDelivering(
  store: Store,
  config: () => Config,
  { share, log }: { share: ShareLimiter; log: Log },
): () => Promise<void> {
  const stop = new AbortController();
  const deps = {
    store,
    send: createServerWebhookSender(config(), store),
    mail: createMailSender(config().mail, log, { share, kind: 'webhooks' }),
    publicUrl: () => config().publicUrl,
  };
  let running: Promise<void> | undefined;
  const round = (): void => {
    running ??= deliverWebhooks(deps, stop.signal)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'delivering to webhooks failed; trying again later'),
      )
      .finally(() => (running = undefined));
  };
  const timer = setInterval(round, roundMs).unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}
