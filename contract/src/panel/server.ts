/** Server administration: accounts and their plans, and the certificate. */
import * as z from 'zod';
import { accountSorts } from '../choices.ts';
import { email, flag, id, number, page, search, unixtime } from '../fields.ts';
import { panelRows, status } from './row.ts';

const needs = [] as const;
const limit = z.int().min(0).max(2_147_483_647).nullable().describe('null if unlimited');
const plan = z.object({
  computers: limit,
  invitations: limit,
  files: limit,
  requests: limit,
  recording_mb: limit,
});

export const server = panelRows({
  'server/accounts': {
    method: 'GET',
    who: 'operator',
    says: 'List the accounts of this server with their plans and usage.',
    input: z.object({
      search: search.optional(),
      sort: z.enum(accountSorts).optional(),
      descending: flag.default(false),
      ...page,
    }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          account_id: id,
          owner: z.string(),
          create_time: unixtime,
          members: number,
          devices: number,
          online: number,
          plan,
          used: z.object({
            computers: number,
            invitations: number,
            files: number,
            requests: number,
            recording_mb: number,
          }),
        }),
      ),
    }),
    needs,
    status,
  },
  'server/certificate': {
    method: 'GET',
    who: 'operator',
    says: 'Show why the certificate of this server was not renewed, if the last attempt failed.',
    input: z.object({}),
    output: z.object({
      failure: z
        .object({
          error: z.string(),
          attempts: number.describe('Failed attempts since the last success'),
          issued: flag.describe(
            'Whether the certificate in use is from the authority; otherwise the server created it itself',
          ),
          retry_time: unixtime,
          expire_time: unixtime.describe('When the certificate in use ends'),
        })
        .optional()
        .describe('Absent after a success, and without automatic certificates'),
    }),
    needs,
    status,
  },
  'server/accounts/create': {
    method: 'POST',
    who: 'fresh_operator',
    says: 'Create an account and return the sign-in link of its owner, which is shown only once.',
    input: z.object({ email }),
    output: z.object({ account_id: id, url: z.string() }),
    needs,
    status,
  },
  'server/accounts/plan': {
    method: 'POST',
    who: 'fresh_operator',
    says: 'Set the plan of an account.',
    input: z.object({ account_id: id, ...plan.partial().shape }),
    output: z.object({}),
    needs,
    status,
  },
});
