/** Delivers the messages that wait for webhooks. */
import { webhookDisabledEmail, type Email } from '../domain/emails.ts';
import { toWebhookMessage, type SendWebhook } from '../domain/webhooks.ts';
import type { ChangeOutput } from '../store/changes.ts';
import type { Store } from '../store/store.ts';

interface DeliveryDeps {
  store: Store;
  send: SendWebhook;
  /** Undefined if the server has no mail settings. */
  mail: ((message: Email) => Promise<boolean>) | undefined;
  publicUrl(): string;
}

type ClaimedDelivery = ChangeOutput<'webhooks/claim'>['claimed'][number];

/** How many messages one process sends at the same time. */
const maxConcurrent = 20;
/** How long sending may take before another process tries, in seconds: several times the limit of a request. */
const claimSeconds = 60;

/** Delivers until nothing is due. Several processes can do so at the same time: each message is claimed by one. */
export async function deliverWebhooks(deps: DeliveryDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps;
  while (!signal.aborted && (await store.webhooks.hasDue(store.now()))) {
    const until = store.now() + claimSeconds;
    const { claimed } = await store.change('webhooks/claim', { until, limit: maxConcurrent });
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((each) => deliverOne(deps, each)));
  }
}

async function deliverOne(deps: DeliveryDeps, { accountId, id, attempts }: ClaimedDelivery): Promise<void> {
  const { store, send, mail, publicUrl } = deps;
  const found = await store.webhooks.delivery(accountId, id);
  if (!found) return;
  const answer = await send(found.target, toWebhookMessage(found.delivery));
  const { disabled } = await store.change('webhooks/settle', { accountId, id, attempts, answer });
  if (!disabled || !mail) return;
  const url = `${publicUrl()}/panel/team/webhooks`;
  await Promise.all(
    disabled.admins.map((to) => mail(webhookDisabledEmail(to, { name: disabled.name, url }))),
  );
}
