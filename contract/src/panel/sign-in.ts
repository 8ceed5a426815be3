/** Signing in: with a password, a one-time link or a passkey, and with a second factor. */
import * as z from 'zod';
import { brand } from '../brand.ts';
import { email, flag, id, secret } from '../fields.ts';
import { dictionary } from '../list.ts';
import { emptyObject } from '../operation.ts';
import { panelRows, status } from './row.ts';

const needs = [] as const;

/** Identifies a sign-in in progress. It expires within minutes and can be used once. */
export const step = secret(z.string().min(1).max(128));

/** Input and output of the browser's WebAuthn API, as JSON. Only the server verifies it; it is not stored or logged. */
export const webauthn = secret(dictionary(z.string().max(64), z.unknown(), 32));

/** The next step of a sign-in. The cookie is set with `done`. */
export const progress = z.object({
  next: z.enum(['done', 'code', 'account']),
  step: step.optional().describe('With `code` and `account`: identifies the sign-in in the next request'),
  accounts: z
    .array(z.object({ account_id: id, owner: z.string() }))
    .optional()
    .describe('With `account`: the accounts that this password gives access to'),
});

export const signIn = panelRows({
  'sign-in/options': {
    method: 'GET',
    who: 'anyone',
    says: 'List the sign-in methods of this server.',
    input: emptyObject,
    output: z.object({
      data: z.object({
        passkeys: flag.describe('False if the address of the server is not a host name'),
        mail: flag.describe('Whether the server can send an e-mail with a link to reset a password'),
        brand,
      }),
    }),
    needs,
    status,
  },
  'sign-in/password': {
    method: 'POST',
    who: 'anyone',
    says: 'Sign in with an e-mail address and a password.',
    input: z.object({ email, password: secret(z.string().min(1).max(256)) }),
    output: progress,
    needs,
    status,
  },
  'sign-in/account': {
    method: 'POST',
    who: 'anyone',
    says: 'Choose one of several accounts that the same password gives access to.',
    input: z.object({ step, account_id: id }),
    output: progress,
    needs,
    status,
  },
  'sign-in/code': {
    method: 'POST',
    who: 'anyone',
    says: 'Complete the sign-in with a code from the authenticator app or a recovery code.',
    input: z.object({ step, code: secret(z.string().min(1).max(32)) }),
    output: progress,
    needs,
    status,
  },
  'sign-in/passkey/begin': {
    method: 'POST',
    who: 'anyone',
    says: 'Get a challenge for signing in with a passkey.',
    input: emptyObject,
    output: z.object({ step, options: webauthn }),
    needs,
    status,
  },
  'sign-in/passkey': {
    method: 'POST',
    who: 'anyone',
    says: 'Sign in with a passkey.',
    input: z.object({ step, response: webauthn }),
    output: progress,
    needs,
    status,
  },
  'sign-in/link': {
    method: 'POST',
    who: 'anyone',
    says: 'Sign in with a one-time link: from the first start, from an invitation, or to set a new password.',
    input: z.object({ token: secret(z.string().min(1).max(128)) }),
    output: progress,
    needs,
    status,
  },
  'sign-in/forgot': {
    method: 'POST',
    who: 'anyone',
    says: 'Send a link to set a new password. The response does not reveal whether the address is known.',
    input: z.object({ email }),
    output: emptyObject,
    needs,
    status,
  },
  'sign-out': {
    method: 'POST',
    who: 'member',
    says: 'Sign out of this browser.',
    input: emptyObject,
    output: z.object({
      url: z
        .string()
        .optional()
        .describe(
          'Where to sign out at the identity provider too, if you signed in with one that has such a page',
        ),
    }),
    needs,
    status,
  },
});
