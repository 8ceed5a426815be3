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
    says: 'List all people of the account.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          email: z.string(),
          owner: flag,
          state: z.enum(['invited', 'active']),
          create_time: unixtime,
          departments: z.array(z.object({ id, name: z.string() })),
        }),
      ),
    }),
    needs,
    status,
  },
  'team/departments': {
    method: 'GET',
    who: 'member',
    says: 'List all departments, with how many people and grants each has.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          ldap: flag,
          worker: flag,
          size: number.describe('Number of members'),
          grants: number.describe('How many roles are granted to it'),
        }),
      ),
    }),
    needs,
    status,
  },
  'team/roles': {
    method: 'GET',
    who: 'member',
    says: 'List all roles, with how often each is granted.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          name: z.string(),
          type: z.enum(roleTypes),
          permission: z.array(z.string()),
          default: flag,
          grants: number.describe('How often it is granted'),
        }),
      ),
    }),
    needs,
    status,
  },
});
