/** The person who is signed in: their permissions and their credentials. */
import * as z from 'zod';
import { brand } from '../brand.ts';
import { clientName, flag, id, name, number, secret, unixtime, withoutTurning } from '../fields.ts';
import { emptyObject } from '../operation.ts';
import { panelRows, status } from './row.ts';
import { step, webauthn } from './sign-in.ts';

/** It stands beside the e-mail address and must not be taken for one. */
const personName = withoutTurning(clientName).refine((value) => !value.includes('@'), 'must not contain @');

const needs = [] as const;
const password = secret(z.string().min(1).max(256));
const recovery = z
  .array(secret(z.string()))
  .describe('Codes that each work once. They are shown only in this response.');

export const me = panelRows({
  me: {
    method: 'GET',
    who: 'member',
    says: 'Show who is signed in, their permissions, and the settings of the server that the panel needs.',
    input: emptyObject,
    output: z.object({
      data: z.object({
        id,
        email: z.string(),
        name: z.string().describe('Empty if they have not given one'),
        account_id: id,
        account: z.string().describe('The e-mail address of the owner'),
        owner: flag,
        operator: flag.describe('Whether they are a server administrator'),
        team: z.array(z.string()).describe('Team permissions held'),
        support: z.array(z.string()).describe('Quick-support permissions held'),
        devices: flag.describe('Whether any device can be seen'),
        history: flag.describe('Whether `agent_sessions` is held on any device'),
        group_admin: z.array(id).describe('Groups on which `agent_change_settings` is held'),
        notify: flag.describe('Whether `agent_notification` is held on any device'),
        group_notify: z.array(id).describe('Groups on which `agent_notification` is held'),
        csrf: z.string().describe('Send it in the header `x-drawbridge-csrf` of every POST'),
        fresh_until: unixtime.describe(
          'Until then, keys, roles and the plan can be changed without confirming the identity again',
        ),
        has_password: flag,
        password_from_directory: flag.describe(
          'Whether it is the password of a directory, and cannot be changed here',
        ),
        has_totp: flag,
        passkeys: number,
        sso: z
          .array(z.object({ id, name: z.string() }))
          .describe('The identity providers with which they sign in'),
        only_sso: flag.describe('Whether people of the account can sign in only with an identity provider'),
        recovery_left: number,
        brand,
        public_url: z.string(),
        key_pin: z
          .string()
          .describe(
            'SHA-256 of the public key in the certificate of the server, base64; empty if a public authority signed it',
          ),
        passkeys_work: flag.describe('False if the address of the server is not a host name'),
        mail: flag,
        version: z.string(),
        now: unixtime,
      }),
    }),
    needs,
    status,
  },
  'me/first-steps': {
    method: 'GET',
    who: 'member',
    says: 'Show which first steps were done in the account. Only the owner sees them.',
    input: emptyObject,
    output: z.object({ data: z.object({ device: flag, client: flag, technician: flag }) }),
    needs,
    status,
  },
  'me/name': {
    method: 'POST',
    who: 'member',
    says: 'Set the name that others see beside your e-mail address. An empty name removes it.',
    input: z.object({ name: personName }),
    output: emptyObject,
    needs,
    status,
  },
  'me/password': {
    method: 'POST',
    who: 'member',
    says: 'Set your password and sign out everywhere else. Replacing a password requires a recent confirmation.',
    input: z.object({ password }),
    output: emptyObject,
    needs,
    status,
  },
  'me/totp/begin': {
    method: 'POST',
    who: 'fresh',
    says: 'Create a secret for an authenticator app. It takes effect when a code from the app is confirmed.',
    input: emptyObject,
    output: z.object({ secret: secret(z.string()), url: secret(z.string()) }),
    needs,
    status,
  },
  'me/totp/confirm': {
    method: 'POST',
    who: 'fresh',
    says: 'Turn on the authenticator app by confirming a code from it.',
    input: z.object({ code: secret(z.string().min(1).max(32)) }),
    output: z.object({ recovery }),
    needs,
    status,
  },
  'me/totp/remove': {
    method: 'POST',
    who: 'fresh',
    says: 'Turn off the authenticator app and delete the recovery codes.',
    input: emptyObject,
    output: emptyObject,
    needs,
    status,
  },
  'me/recovery': {
    method: 'POST',
    who: 'fresh',
    says: 'Create new recovery codes. The old codes stop working.',
    input: emptyObject,
    output: z.object({ recovery }),
    needs,
    status,
  },
  'me/passkeys': {
    method: 'GET',
    who: 'member',
    says: 'List your passkeys.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({ id, name: z.string(), create_time: unixtime, last_used: unixtime.optional() }),
      ),
    }),
    needs,
    status,
  },
  'me/passkeys/begin': {
    method: 'POST',
    who: 'fresh',
    says: 'Get a challenge for creating a passkey.',
    input: emptyObject,
    output: z.object({ step, options: webauthn }),
    needs,
    status,
  },
  'me/passkeys/add': {
    method: 'POST',
    who: 'fresh',
    says: 'Save a new passkey.',
    input: z.object({ step, name, response: webauthn }),
    output: z.object({ id }),
    needs,
    status,
  },
  'me/passkeys/remove': {
    method: 'POST',
    who: 'fresh',
    says: 'Delete a passkey.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
  },
  'me/sessions': {
    method: 'GET',
    who: 'member',
    says: 'List the browsers in which you are signed in.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          here: flag.describe('Whether it is the browser that sent the request'),
          create_time: unixtime,
          last_seen: unixtime,
          address: z.string(),
          user_agent: z.string(),
        }),
      ),
    }),
    needs,
    status,
  },
  'me/sessions/end': {
    method: 'POST',
    who: 'member',
    says: 'Sign out of another browser.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
  },
  'me/sessions/end-all': {
    method: 'POST',
    who: 'member',
    says: 'Sign out everywhere, including this browser.',
    input: emptyObject,
    output: emptyObject,
    needs,
    status,
  },
  'me/confirm': {
    method: 'POST',
    who: 'member',
    says: 'Confirm your identity with your password.',
    input: z.object({ password }),
    output: z.object({ fresh_until: unixtime, csrf: z.string() }),
    needs,
    status,
  },
  'me/confirm/passkey/begin': {
    method: 'POST',
    who: 'member',
    says: 'Get a challenge for confirming your identity with a passkey.',
    input: emptyObject,
    output: z.object({ step, options: webauthn }),
    needs,
    status,
  },
  'me/confirm/passkey': {
    method: 'POST',
    who: 'member',
    says: 'Confirm your identity with a passkey.',
    input: z.object({ step, response: webauthn }),
    output: z.object({ fresh_until: unixtime, csrf: z.string() }),
    needs,
    status,
  },
});
