/** Team: tokens with which identity providers provision people and departments by SCIM. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, name, number, secret, unixtime } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

const needs = [team('team_user_admin')] as const;
const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;

export const provisioning = operations({
  'team/scim/token/list': {
    method: 'GET',
    says: 'List the tokens of identity providers, and what they look after.',
    input: emptyObject,
    output: z.object({
      base_url: z.string().describe('The address that identity providers need'),
      people: number.describe('How many people identity providers look after'),
      departments: number.describe('How many departments identity providers look after'),
      data: z.array(
        z.object({
          id,
          name: z.string(),
          prefix: z.string().describe('The first characters of the token'),
          email: z.string().describe('Who created it: it can do only what this person may do'),
          create_time: unixtime,
          expires: unixtime.optional().describe('Absent when the token does not expire'),
          last_used: unixtime.optional().describe('Absent when the token was never used'),
          expired: flag,
          usable: flag.describe('False when it has expired, or its creator may no longer manage people'),
          problem: z
            .enum(['', 'expired', 'creator_disabled', 'creator_without_right'])
            .describe('Why it cannot be used; empty if it can'),
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/scim/token/create': {
    method: 'POST',
    says: 'Create a token for an identity provider; it is shown once.',
    input: z.object({
      name: name.default('Identity provider'),
      expires: unixtime.optional().describe('When the token stops working'),
    }),
    output: z.object({
      id,
      base_url: z.string().describe('The address that the identity provider needs'),
      token: secret(z.string()).describe('The token: 64 characters, shown once'),
    }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/scim/token/remove': {
    method: 'POST',
    says: 'Remove a token at once; the people and departments stay.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
});
