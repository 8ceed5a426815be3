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
  group_id: number.describe('0 if it is in no group'),
  online: flag,
  last_time: unixtime,
  link_time: unixtime,
  favorite: flag,
  disabled: flag,
  limited: flag,
  ip: z.string(),
  country: z.string(),
  version: z.string(),
  rights: number.describe('Index into `rights`: the permissions of the caller on this device'),
  preview_url: z
    .string()
    .optional()
    .describe('URL of a preview of its screen; only with `ids`, and empty without `agent_preview`'),
});

export const devices = panelRows({
  devices: {
    method: 'GET',
    who: 'member',
    says: 'List the devices that the caller may see, with the permissions of the caller on each.',
    input: z.object({
      ids: z
        .string()
        .regex(/^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15}){0,199}$/, 'must be ids with commas between them')
        .optional()
        .describe('Only these devices: at most 200 ids, separated by commas'),
    }),
    output: z.object({
      member_id: id.describe('The caller'),
      rights: z.array(z.array(z.string())).describe('The distinct sets of permissions'),
      data: z.array(listed),
    }),
    needs: [{ on: 'agents' }],
    status,
  },
  'groups/order': {
    method: 'POST',
    who: 'member',
    says: 'Reorder groups; the others keep their positions. Requires `agent_change_settings` on each group.',
    input: z.object({
      ids: list(id, { min: 1, max: 10_000 }).describe('The groups in their new order, each once'),
    }),
    output: emptyObject,
    needs: [],
    status,
  },
});
