/** The device list as the panel keeps it: only the fields that it searches, filters or shows. */
import * as z from 'zod';
import { flag, id, number, unixtime } from '../fields.ts';
import { list } from '../list.ts';
import { emptyObject } from '../operation.ts';
import { panelRows, status } from './row.ts';

const listed = z.object({
  id,
  device_id: id,
  name: z.string(),
  os: z.string(),
  os_user: z.string(),
  group_id: number.describe('0 when it is in none'),
  online: flag,
  last_time: unixtime,
  link_time: unixtime,
  favorite: flag,
  disabled: flag,
  limited: flag,
  ip: z.string(),
  country: z.string(),
  version: z.string(),
  rights: number.describe('Which of `rights` one has on it'),
  preview_url: z
    .string()
    .optional()
    .describe('Address of a small picture of its screen; only with `ids`, and empty without `agent_preview`'),
});

export const devices = panelRows({
  devices: {
    method: 'GET',
    who: 'member',
    says: 'List the devices one may see, briefly, with what one may do on each.',
    input: z.object({
      ids: z
        .string()
        .regex(/^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15}){0,199}$/, 'must be ids with commas between them')
        .optional()
        .describe('Only these: at most 200, with commas between them'),
    }),
    output: z.object({
      rights: z.array(z.array(z.string())).describe('Sets of permissions, each named once'),
      data: z.array(listed),
    }),
    needs: [{ on: 'agents' }],
    status,
  },
  'groups/order': {
    method: 'POST',
    who: 'member',
    says: 'Put groups into an order; others keep their places. Needs `agent_change_settings` on each of them.',
    input: z.object({
      ids: list(id, { min: 1, max: 10_000 }).describe('Each group once, the first one first'),
    }),
    output: emptyObject,
    needs: [],
    status,
  },
});
