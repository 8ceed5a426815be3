/** Team: identity providers (OpenID Connect) with which people sign in. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, name, number, secret } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

const needs = [team('team_user_admin')] as const;
const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');

const clientSecret = secret(line(512)).describe(
  'The secret that the provider gave this client; stored, and never shown',
);

const notAnIssuer = 'must be an address such as https://id.example.com, without ? and #';

const issuer = z
  .string()
  .trim()
  .max(300)
  .regex(/^https:\/\/[^\s?#@]+$/, notAnIssuer)
  .refine((url) => URL.canParse(url), notAnIssuer)
  .describe('The address of the provider, exactly as its discovery document writes it; it cannot be changed');

const settings = {
  name,
  ca_cert: z
    .string()
    .max(32_768)
    .describe(
      'Certificates (PEM) that the certificate of the provider must descend from; empty for the usual ones',
    ),
  client_id: line(256).describe('The name under which the provider knows this server'),
  scopes: z
    .string()
    .trim()
    .max(256)
    .regex(
      /^(?:[!#-[\]-~]+ )*openid(?: [!#-[\]-~]+)*$/,
      'must be words with single spaces between them, and contain openid',
    )
    .describe('What the provider is asked for'),
  groups_claim: z
    .string()
    .trim()
    .max(128)
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
    .describe('The claim with the names or ids of the groups of a person; empty for none'),
  create_people: flag.describe('Whether people who sign in for the first time are added to the account'),
  adopt: flag.describe(
    'Whether people who were invited and never signed in are recognised by their e-mail address, if the provider has verified it',
  ),
  enabled: flag.describe('Whether people can sign in with it'),
};

const problem = z
  .enum([
    '',
    'unreachable',
    'address',
    'certificate',
    'timeout',
    'too_large',
    'not_found',
    'unreadable',
    'wrong_issuer',
    'no_code_flow',
    'no_pkce',
    'insecure_endpoint',
    'credentials',
    'secret_unreadable',
    'failed',
  ])
  .describe('What is wrong with the provider; empty if nothing was found');

const group = line(256).describe('The name or id of the group, as the provider sends it');

export const providers = operations({
  'team/provider/list': {
    method: 'GET',
    says: 'List the identity providers of the account.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          issuer,
          ...settings,
          sign_in_name: z.string().describe('What people enter on the sign-in page to reach this provider'),
          sign_in_url: z.string().describe('The page from which people sign in with this provider'),
          redirect_uri: z.string().describe('The address to register with this provider'),
          logout_uri: z.string().describe('Where this provider sends logout tokens (back-channel logout)'),
          people: number.describe('How many people sign in with it'),
          groups: z.array(z.object({ group, department_id: id, department: z.string() })),
        }),
      ),
      only_sso: flag.describe('Whether people can sign in only with a provider'),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/provider/create': {
    method: 'POST',
    says: 'Add an identity provider (OpenID Connect) to the account.',
    input: z.object({
      name: settings.name,
      issuer,
      ca_cert: settings.ca_cert.default(''),
      client_id: settings.client_id,
      client_secret: clientSecret,
      scopes: settings.scopes.default('openid email profile'),
      groups_claim: settings.groups_claim.default('groups'),
      create_people: settings.create_people.default(false),
      adopt: settings.adopt.default(false),
      enabled: settings.enabled.default(true),
    }),
    output: z.object({ id }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/provider/update': {
    method: 'POST',
    says: 'Change the settings of an identity provider; only what is sent changes.',
    input: z.object({ id, ...z.object({ ...settings, client_secret: clientSecret }).partial().shape }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/provider/remove': {
    method: 'POST',
    says: 'Forget an identity provider; its people stay, but are signed out and can no longer sign in with it.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/provider/check': {
    method: 'POST',
    says: 'Read the discovery document of an identity provider and say what is wrong.',
    input: z.object({ id }),
    output: z.object({ data: z.object({ problem }) }),
    needs,
    status,
  },
  'team/provider/group/add': {
    method: 'POST',
    says: 'Map a group at the provider to a department, which its people join at their next sign-in.',
    input: z.object({ id, group, department_id: id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/provider/group/remove': {
    method: 'POST',
    says: 'Stop mapping a group at the provider to a department, which its people leave at their next sign-in.',
    input: z.object({ id, group, department_id: id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/provider/require': {
    method: 'POST',
    says: 'Decide, as the owner, whether people of the account can sign in only with an identity provider.',
    input: z.object({ only_sso: flag.describe('True to refuse passwords, passkeys and links') }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
});
