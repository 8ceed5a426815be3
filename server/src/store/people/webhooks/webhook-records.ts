/** What is read about webhooks. */
import type { WaitingDelivery, WebhookSettings, WebhookTarget } from '../../../domain/webhooks.ts';

export interface ListedWebhook extends WebhookSettings {
  id: number;
  createTime: number;
  /** Why the last message was not accepted; empty if it was. */
  problem: string;
  httpStatus: number;
  lastTime: number | null;
  waiting: number;
  nextTime: number | null;
  failingSince: number | null;
  lost: number;
  /** When the server disabled it. */
  disabledTime: number | null;
  /** Until when the secret before the last renewal signs too; 0 if it never was renewed. */
  oldUntil: number;
}

export interface WebhookReads {
  /** Whether a message of any account is due. */
  hasDue(time: number): Promise<boolean>;
  list(accountId: number): Promise<ListedWebhook[]>;
  target(accountId: number, id: number): Promise<WebhookTarget | undefined>;
  /** A message that waits, and where it goes to; undefined if one of them was removed. */
  delivery(
    accountId: number,
    id: number,
  ): Promise<{ target: WebhookTarget; delivery: WaitingDelivery } | undefined>;
}
