/** Webhooks of an account: what is sent to them, how it is signed, and when it is sent again. Pure. */
import type { WebhookEvent } from '@drawbridge/contract/choices';
import type { AccessRequestRecord } from './people/access-requests.ts';
import type { ProviderProblem } from './people/provider.ts';

export interface WebhookSettings {
  name: string;
  url: string;
  /** The certificates (PEM) that the receiver's must descend from; empty for those that Node trusts. */
  ca: string;
  events: readonly WebhookEvent[];
  enabled: boolean;
}

/** What is absent or undefined stays as it is. */
export type ChangedWebhook = { [Each in keyof WebhookSettings]?: WebhookSettings[Each] | undefined };

/** Where a message goes to, and the keys of its signatures: the one before the last renewal for a while too. */
export interface WebhookTarget {
  url: string;
  ca: string;
  /** Empty if the key that opens them is not on this server. */
  secrets: readonly string[];
}

type WebhookProblem = Extract<
  ProviderProblem,
  'unreachable' | 'address' | 'certificate' | 'timeout' | 'too_large' | 'unreadable' | 'failed'
>;

/** How a receiver answered. */
export interface WebhookAnswer {
  /** Empty if it accepted the message. */
  problem: '' | WebhookProblem | 'redirect' | 'refused' | 'secret_unreadable';
  /** The HTTP status; 0 without a response. */
  httpStatus: number;
}

/** A message as it is sent: the same bytes at every attempt. */
interface WebhookMessage {
  /** The same at every attempt, so that receivers recognize what they have. */
  id: string;
  body: string;
}

/** Sends one message. Never rejects. */
export type SendWebhook = (target: WebhookTarget, message: WebhookMessage) => Promise<WebhookAnswer>;

/** The most webhooks of an account. */
export const maxWebhooks = 50;
/** The most messages that wait for one webhook; further ones are lost. */
export const maxWaitingDeliveries = 1_000;
/** For how long the secret before a renewal signs too, in seconds. */
export const secretOverlap = 86_400;
/** For how long a message is tried, in seconds. */
const deliveryLifetime = 86_400;
/** After this many seconds of failures a webhook is disabled. */
const failingTolerance = 5 * 86_400;
const firstRetry = 10;
const longestRetry = 14_400;

/** When a message that failed this many times is tried again; undefined if it is given up. */
export function nextAttempt(
  { attempts, createTime }: { attempts: number; createTime: number },
  now: number,
): number | undefined {
  const next = now + Math.min(longestRetry, firstRetry * 4 ** (attempts - 1));
  return next <= createTime + deliveryLifetime ? next : undefined;
}

export const hasFailedTooLong = (failingSince: number, now: number): boolean =>
  now - failingSince >= failingTolerance;

/** What a message says about a request for access. */
export const requestContent = (request: AccessRequestRecord) => ({
  id: request.id,
  email: request.email,
  role: request.role,
  permission: request.permissions,
  ...(request.agentId !== null && { agent_id: request.agentId, agent: request.agent ?? '' }),
  ...(request.groupId !== null && { group_id: request.groupId, group: request.group ?? '' }),
  reason: request.reason,
  minutes: request.minutes,
  emergency: request.emergency,
  ...(request.decidedBy !== null && { decided_by: request.decidedBy }),
  ...(request.decision !== '' && { decision: request.decision }),
  ...(request.until !== null && { until: request.until }),
});

export interface WaitingDelivery {
  id: number;
  event: string;
  createTime: number;
  /** JSON of what happened. */
  content: string;
}

/** Numbers of rows repeat after a backup is restored; together with the time they do not. */
export function toWebhookMessage({
  id: row,
  event,
  createTime: time,
  content,
}: WaitingDelivery): WebhookMessage {
  const id = `${time}-${row}`;
  return { id, body: JSON.stringify({ id, event, time, request: JSON.parse(content) as unknown }) };
}

/** A message that says nothing but that messages arrive. */
export function testMessage(now: number, random: string): WebhookMessage {
  const id = `test-${now}-${random}`;
  return { id, body: JSON.stringify({ id, event: 'test', time: now }) };
}

/** The text that the signature covers, as Standard Webhooks defines it. */
export const signedText = ({ id, body }: WebhookMessage, time: number): string => `${id}.${time}.${body}`;

/** A new key of signatures, from 64 letters and digits: those are base64. */
export const toWebhookSecret = (key: string): string => `${secretPrefix}${key}`;

export const secretPrefix = 'whsec_';
