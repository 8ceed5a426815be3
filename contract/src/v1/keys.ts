/** API keys: a person's own, and for the owner those of everyone. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, name, secret, unixtime } from '../fields.ts';
import { list } from '../list.ts';
import { emptyObject, operations, team } from '../operation.ts';

const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an address or a network like 10.0.0.0/8',
);
const networks = list(network, { max: 32 }).describe(
  'Networks the key may be used from; everywhere when empty',
);
const needs = [team('team_api_key')] as const;
const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;

export const keys = operations({
  'keys/list': {
    method: 'GET',
    says: 'List your API keys; the owner sees everyone\u2019s.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          prefix: z.string().describe('The first characters of the key'),
          email: z.string().describe('Whose key it is'),
          create_time: unixtime,
          expires: unixtime.optional().describe('Absent when the key does not expire'),
          last_used: unixtime.optional().describe('Absent when the key was never used'),
          networks: z.array(z.string()),
          expired: flag,
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'keys/create': {
    method: 'POST',
    says: 'Create an API key with your own rights; it is shown once.',
    input: z.object({
      name: name.default('API key'),
      expires: unixtime.optional().describe('When the key stops working'),
      networks: networks.default([]),
    }),
    output: z.object({ id, api_key: secret(z.string()).describe('The key: 64 characters, shown once') }),
    needs,
    status,
    freshSignIn: true,
  },
  'keys/revoke': {
    method: 'POST',
    says: 'Revoke an API key at once.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
});
