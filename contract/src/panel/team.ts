/** The team as the panel keeps it: each list complete in one response, so that the page can search and sort it locally. */
import * as z from 'zod';
import { flag, id, number, unixtime } from '../fields.ts';
import { emptyObject, team } from '../operation.ts';
import { roleTypes } from '../permissions.ts';
import { panelRows, status } from './row.ts';

const needs = [team('team_user_admin')] as const;

export const teamLists = panelRows({
  'team/people': {
    method: 'GET',
    who: 'member',
    says: 'List all people in the account.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          email: z.string(),
          name: z.string().describe('Empty if they have not given one'),
          owner: flag,
          state: z
            .enum(['invited', 'active', 'disabled'])
            .describe('`disabled`: their directory has disabled them, or they left it'),
          create_time: unixtime,
          departments: z.array(z.object({ id, name: z.string() })),
        }),
      ),
    }),
    needs,
    status,
  },
  'team/names': {
    method: 'GET',
    who: 'member',
    says: 'Show the names of people in the account, by their e-mail addresses. People without a name are left out.',
    input: z.object({
      emails: z
        .string()
        .max(8_000)
        .regex(/^\S+(?: \S+){0,49}$/, 'must be at most 50 e-mail addresses with spaces between them'),
    }),
    output: z.object({ data: z.array(z.object({ email: z.string(), name: z.string() })) }),
    needs: [],
    status,
  },
  'team/departments': {
    method: 'GET',
    who: 'member',
    says: 'List all departments, with the numbers of their members and grants.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          ldap: flag,
          worker: flag,
          size: number.describe('Number of members'),
          grants: number.describe('Number of roles granted to it'),
        }),
      ),
    }),
    needs,
    status,
  },
  'team/roles': {
    method: 'GET',
    who: 'member',
    says: 'List all roles, with the number of grants of each.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          type: z.enum(roleTypes),
          permission: z.array(z.string()),
          default: flag,
          grants: number.describe('Number of grants'),
        }),
      ),
    }),
    needs,
    status,
  },
});
