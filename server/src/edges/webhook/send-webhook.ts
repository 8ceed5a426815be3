/** Sends messages to webhooks, signed as Standard Webhooks defines it. */
import { createHmac } from 'node:crypto';
import { secretPrefix, signedText, type SendWebhook, type WebhookAnswer } from '../../domain/webhooks.ts';
import { createBoundedFetch, problemIn, type FetchDeps } from '../sso/bounded-fetch.ts';
import { serverVersion } from '../version.ts';

const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(text)
    .digest('base64');

function toAnswer(httpStatus: number): WebhookAnswer {
  if (httpStatus < 300) return { problem: '', httpStatus };
  return { problem: httpStatus < 400 ? 'redirect' : 'refused', httpStatus };
}

const toFailedAnswer = (error: unknown): WebhookAnswer => ({
  problem: ((error instanceof Error && problemIn(error.message)) || 'failed') as WebhookAnswer['problem'],
  httpStatus: 0,
});

/** The time is that of the attempt, so that receivers can refuse old messages. */
export const createWebhookSender =
  (deps: FetchDeps, now: () => number): SendWebhook =>
  async ({ url, ca, secrets }, message) => {
    if (secrets.length === 0) return { problem: 'secret_unreadable', httpStatus: 0 };
    const time = now();
    const signed = signedText(message, time);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(message.body)),
      'user-agent': `Drawbridge/${serverVersion}`,
      'webhook-id': message.id,
      'webhook-timestamp': String(time),
      'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, signed)}`).join(' '),
    };
    try {
      const post = createBoundedFetch(ca, deps);
      const { status } = await post(url, { method: 'POST', headers, body: message.body });
      return toAnswer(status);
    } catch (error) {
      return toFailedAnswer(error);
    }
  };
