/** Single sign-on: with an identity provider of the account, for signing in, confirming an identity, and connecting it. */
import * as z from 'zod';
import { flag, id, secret, unixtime } from '../fields.ts';
import { emptyObject } from '../operation.ts';
import { panelRows, status } from './row.ts';
import { progress } from './sign-in.ts';

const needs = [] as const;

/** The page from which people sign in with the provider of this sign-in name. */
export const ssoSignInPath = (name: string): string => `/panel/sso/${name}`;
/** The page at which the browser returns from it: each provider has its own, so that no answer counts for another. */
export const ssoReturnPath = (name: string): string => `${ssoSignInPath(name)}/return`;
/** Where it sends logout tokens. */
export const ssoLogoutPath = (name: string): string => `${ssoSignInPath(name)}/logout`;

/** The names of providers on the sign-in page, which the server creates: ten characters that are hard to mistake. */
const signInName = z
  .string()
  .trim()
  .max(32)
  .regex(/^[a-z2-9-]+$/i, 'must be the sign-in name that your organisation gave you')
  .describe('The sign-in name of the provider');

const url = z.string().describe('The address at the provider to open in the browser');

/** The query with which the browser returned: everything after the question mark. */
const response = secret(z.string().min(1).max(8_192)).describe('The query with which the browser returned');

const returned = z.object({
  name: signInName.describe('The sign-in name in the address at which the browser returned'),
  response,
});

export const sso = panelRows({
  'sign-in/sso/begin': {
    method: 'POST',
    who: 'anyone',
    says: 'Get the address at which the browser signs in with an identity provider.',
    input: z.object({ name: signInName }),
    output: z.object({ url }),
    needs,
    status,
  },
  'sign-in/sso': {
    method: 'POST',
    who: 'anyone',
    says: 'Complete the sign-in with what the identity provider answered.',
    input: returned,
    output: progress,
    needs,
    status,
  },
  'me/sso': {
    method: 'GET',
    who: 'member',
    says: 'List the identity providers of the account, and with which of them you sign in.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          connected: flag,
          email: z.string().optional().describe('Your e-mail address there'),
          last_used: unixtime.optional(),
        }),
      ),
    }),
    needs,
    status,
  },
  'me/sso/begin': {
    method: 'POST',
    who: 'fresh',
    says: 'Get the address at which the browser signs in with an identity provider, to connect it with you.',
    input: z.object({ id }),
    output: z.object({ url }),
    needs,
    status,
  },
  'me/sso/connect': {
    method: 'POST',
    who: 'fresh',
    says: 'Connect your identity at the provider, so that you can sign in with it.',
    input: returned,
    output: emptyObject,
    needs,
    status,
  },
  'me/sso/remove': {
    method: 'POST',
    who: 'fresh',
    says: 'Disconnect your identity at the provider, so that you can no longer sign in with it.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
  },
  'me/confirm/sso/begin': {
    method: 'POST',
    who: 'member',
    says: 'Get the address at which you authenticate again with an identity provider.',
    input: z.object({ id }),
    output: z.object({ url }),
    needs,
    status,
  },
  'me/confirm/sso': {
    method: 'POST',
    who: 'member',
    says: 'Confirm your identity with what the identity provider answered.',
    input: returned,
    output: z.object({ fresh_until: unixtime, csrf: z.string() }),
    needs,
    status,
  },
});
