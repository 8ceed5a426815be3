/** Team: LDAP directories from which people and departments are imported. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, name, number, secret, unixtime } from '../fields.ts';
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

const bindPassword = secret(z.string().min(1).max(256)).describe(
  'The password of that entry; stored, and never shown',
);

const settings = {
  name,
  url: z
    .string()
    .trim()
    .max(300)
    .regex(/^ldaps?:\/\/[^\s/?#@]+\/?$/i, 'must be an address such as ldaps://directory.example.com')
    .refine(
      (url) => URL.canParse(url) && new URL(url).hostname !== '',
      'must be an address such as ldaps://directory.example.com',
    )
    .describe(
      '`ldaps://` with a host and, if needed, a port; with `ldap://`, StartTLS encrypts the connection',
    ),
  ca_cert: z
    .string()
    .max(32_768)
    .describe(
      'Certificates (PEM) that the certificate of the server must descend from; empty for the usual ones',
    ),
  bind_dn: line(512).describe('The entry that reads the directory'),
  base: line(512).describe('The entry below which people and groups are searched'),
  person_filter: line(1024).describe('Which entries are people'),
  group_filter: line(1024).describe('Which entries are groups, and so become departments'),
  adopt: flag.describe(
    'Whether people who are already in the account, with the same e-mail address, come under the control of the directory',
  ),
  sign_in: flag.describe(
    'Whether people of the directory sign in with its password, except the owner and server administrators. Only a server administrator can turn it on, and change these settings while it is on',
  ),
  every_minutes: z
    .int()
    .min(0)
    .max(10_080)
    .refine((minutes) => minutes === 0 || minutes >= 15, 'must be 0, or at least 15')
    .describe('How often it is imported; 0 for only when asked'),
  removal_percent: z
    .int()
    .min(1)
    .max(100)
    .describe(
      'An import that disables more than this share of the people, or ends more of the memberships, stops',
    ),
};

const problem = z
  .enum([
    '',
    'unreachable',
    'certificate',
    'credentials',
    'secret_unreadable',
    'settings',
    'timeout',
    'too_large',
    'incomplete',
    'address',
    'no_uid',
    'rights',
    'failed',
    'no_people',
    'no_groups',
    'duplicate_uid',
    'too_many_removals',
  ])
  .describe('Why nothing was changed; empty if all was');

const kind = z.enum([
  'create_person',
  'adopt_person',
  'change_email',
  'disable_person',
  'enable_person',
  'create_department',
  'rename_department',
  'join',
  'leave',
  'skip',
]);

const report = z.object({
  problem,
  removed_percent: number.describe(
    'The share of people or memberships that it takes away, whichever is larger',
  ),
  counts: z.array(z.object({ kind, count: number })),
  changes: z
    .array(
      z.object({
        kind,
        person: z.string().optional(),
        department: z.string().optional(),
        detail: z
          .string()
          .optional()
          .describe('The new address or name, or why somebody is disabled or skipped'),
      }),
    )
    .describe('The first 1000'),
});

export const directories = operations({
  'team/directory/list': {
    method: 'GET',
    says: 'List the directories of the account and how their last imports ended.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          ...settings,
          last_time: unixtime.describe('When it was last imported; 0 if it never was'),
          last_problem: problem,
          next_time: unixtime.describe('When it is imported next; 0 if only when asked'),
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/directory/create': {
    method: 'POST',
    says: 'Connect the account to an LDAP directory; nothing is imported yet.',
    input: z.object({
      name: settings.name,
      url: settings.url,
      ca_cert: settings.ca_cert.default(''),
      bind_dn: settings.bind_dn,
      bind_password: bindPassword,
      base: settings.base,
      person_filter: settings.person_filter.default('(objectClass=person)'),
      group_filter: settings.group_filter.default(
        '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=group))',
      ),
      adopt: settings.adopt.default(false),
      sign_in: settings.sign_in.default(false),
      every_minutes: settings.every_minutes.default(0),
      removal_percent: settings.removal_percent.default(20),
    }),
    output: z.object({ id }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/directory/update': {
    method: 'POST',
    says: 'Change the settings of a directory; only what is sent changes.',
    input: z.object({ id, ...z.object({ ...settings, bind_password: bindPassword }).partial().shape }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/directory/remove': {
    method: 'POST',
    says: 'Forget a directory; its people and departments stay, and can be changed here from then on.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/directory/plan': {
    method: 'POST',
    says: 'Read a directory and show what an import would change, without changing anything.',
    input: z.object({ id }),
    output: z.object({ data: report }),
    needs,
    status,
  },
  'team/directory/run': {
    method: 'POST',
    says: 'Import a directory now.',
    input: z.object({
      id,
      confirm_removals: flag.default(false).describe('Also if it takes away more than `removal_percent`'),
      removed_percent: z
        .int()
        .min(0)
        .max(100)
        .optional()
        .describe(
          'With `confirm_removals`: the share that you were shown. The import stops if it takes away more by now; without it, any share is confirmed',
        ),
    }),
    output: z.object({ data: report }),
    needs,
    status,
    freshSignIn: true,
  },
});
