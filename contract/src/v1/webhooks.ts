/** Team: webhooks, addresses that are told about requests for access. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { webhookEvents } from '../choices.ts';
import { flag, id, name, number, secret, unixtime } from '../fields.ts';
import { list } from '../list.ts';
import { emptyObject, operations, team } from '../operation.ts';

const needs = [team('team_user_admin')] as const;
const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;

const notAnAddress = 'must be an address such as https://hooks.example.com/drawbridge, without @ and #';

const url = z
  .string()
  .trim()
  .max(500)
  .regex(/^https:\/\/[^\s#@]+$/, notAnAddress)
  .refine((address) => URL.canParse(address), notAnAddress);

const event = z.enum(webhookEvents);

const settings = {
  name,
  url: secret(url).describe('Where messages are sent to; often secret, so the audit log omits it'),
  ca_cert: z
    .string()
    .max(32_768)
    .describe(
      'Certificates (PEM) that the certificate of the receiver must descend from; empty for the usual ones',
    ),
  events: list(event, { min: 1, max: webhookEvents.length }).describe('What is sent'),
  enabled: flag.describe('Whether messages are sent; those that wait are dropped when it becomes false'),
};

const problem = z
  .enum([
    '',
    'unreachable',
    'address',
    'certificate',
    'timeout',
    'too_large',
    'unreadable',
    'redirect',
    'refused',
    'secret_unreadable',
    'failed',
  ])
  .describe('Why the last message was not accepted; empty if it was');
const httpStatus = number.describe('The HTTP status of the last response; 0 without one');

export const webhooks = operations({
  'team/webhook/list': {
    method: 'GET',
    says: 'List the webhooks of the account, and how their deliveries go.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          url: z.string(),
          ca_cert: z.string(),
          events: z.array(z.string()),
          enabled: flag,
          create_time: unixtime,
          problem,
          http_status: httpStatus,
          last_time: unixtime.optional().describe('When the last message was sent; absent before the first'),
          waiting: number.describe('How many messages wait'),
          next_time: unixtime.optional().describe('When the next of them is sent; absent if none waits'),
          failing_since: unixtime.optional().describe('Absent if the last message was accepted'),
          lost: number.describe('How many messages were given up'),
          disabled_time: unixtime
            .optional()
            .describe('When the server disabled it after five days of failures'),
          old_until: unixtime
            .optional()
            .describe('Until when the secret before the last renewal signs too; absent if none does'),
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/webhook/create': {
    method: 'POST',
    says: 'Add a webhook; its secret is shown once.',
    input: z.object({
      name: settings.name,
      url: settings.url,
      ca_cert: settings.ca_cert.default(''),
      events: settings.events.default([...webhookEvents]),
      enabled: settings.enabled.default(true),
    }),
    output: z.object({
      id,
      secret: secret(z.string()).describe('The key of the signatures: whsec_ and 64 characters, shown once'),
    }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/webhook/update': {
    method: 'POST',
    says: 'Change the settings of a webhook; only what is sent changes.',
    input: z.object({ id, ...z.object(settings).partial().shape }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/webhook/renew': {
    method: 'POST',
    says: 'Give a webhook a new secret, shown once; messages are also signed with the one before for 24 hours.',
    input: z.object({ id }),
    output: z.object({
      secret: secret(z.string()).describe('The new key of the signatures, shown once'),
      old_until: unixtime.describe('Until when the one before signs too'),
    }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/webhook/remove': {
    method: 'POST',
    says: 'Remove a webhook and the messages that wait for it.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/webhook/test': {
    method: 'POST',
    says: 'Send a test message to a webhook now and say how it was answered.',
    input: z.object({ id }),
    output: z.object({ data: z.object({ problem, http_status: httpStatus }) }),
    needs,
    status,
  },
});
