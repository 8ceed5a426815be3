/** Updates of agents: which version they get, when, and in which order. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, number, page, unixtime } from '../fields.ts';
import { list } from '../list.ts';
import { agent, emptyObject, operations, team } from '../operation.ts';

const needs = [team('team_permanent_access')] as const;
const status = { ok: 0, invalid: 1, internal: 2, forbidden: 8 } as const;

const hour = z.int().min(0).max(23);
const settings = {
  enabled: flag.describe('Devices update themselves to the version that the server offers'),
  window_start: hour.describe('The hour (UTC) from which updates begin'),
  window_end: hour.describe(
    'The hour (UTC) from which no update begins; the same as the start for the whole day',
  ),
  groups: list(id, { max: 1_000 }).describe('Groups whose devices go first, in this order'),
  canary: z
    .int()
    .min(0)
    .max(1_000)
    .describe('So many devices must have been updated before all others follow'),
  failure_percent: z
    .int()
    .min(1)
    .max(100)
    .describe('Updates pause when this share of the devices that tried has failed'),
  per_minute: z.int().min(1).max(1_000).describe('How many devices begin per minute at the most'),
};

const state = z
  .enum(['current', 'outdated', 'held', 'updating', 'waiting', 'refused', 'failed'])
  .describe(
    '`held`: pinned to another version, or without updates by its policy. `waiting`: until nobody is connected. `refused`: the device is asked again later',
  );
const pin = z
  .string()
  .regex(/^(\d{1,6}\.\d{1,6}\.\d{1,6})?$/, 'must be empty or a version such as 1.4.2')
  .describe('The only version that the device may have; empty for the one that the server offers');

/** A device that updates itself. */
const update = {
  version: z.string(),
  pin,
  state,
  target: z.string().describe('The version of the last update; empty if there was none'),
  message: z.string().describe('Why the device refused or failed'),
  time: unixtime.describe('When the device last reported about an update; 0 if it never did'),
};

export const updates = operations({
  'agents/updates/status': {
    method: 'GET',
    says: 'Show how the update of agents proceeds.',
    input: emptyObject,
    output: z.object({
      data: z.object({
        version: z.string().describe('The version that the server offers; empty if it offers none'),
        enabled: settings.enabled,
        paused: z
          .enum(['', 'person', 'failures'])
          .describe('What paused updates: nothing, a person, or too many failures'),
        states: z.array(z.object({ state, devices: number })),
        versions: z.array(z.object({ version: z.string(), devices: number })),
      }),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'agents/updates/settings': {
    method: 'GET',
    says: 'Show the settings of updates.',
    input: emptyObject,
    output: z.object({ data: z.object(settings) }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'agents/updates/settings/update': {
    method: 'POST',
    says: 'Change the settings of updates; only what is sent changes.',
    input: z.object(settings).partial(),
    output: emptyObject,
    needs,
    status: { ...status, not_found: 6 },
  },
  'agents/updates/pause': {
    method: 'POST',
    says: 'Pause updates; devices that have begun finish.',
    input: emptyObject,
    output: emptyObject,
    needs,
    status,
  },
  'agents/updates/resume': {
    method: 'POST',
    says: 'Resume updates, and ask devices that failed or refused again.',
    input: emptyObject,
    output: emptyObject,
    needs,
    status,
  },
  'agents/updates/devices': {
    method: 'GET',
    says: 'List devices with their versions and how their updates proceed.',
    input: z.object({ state: state.optional().describe('Only devices in this state'), ...page }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          id,
          device_id: id,
          name: z.string(),
          group_id: id.optional(),
          online: flag,
          ...update,
        }),
      ),
    }),
    needs,
    status: { ok: null, invalid: null, forbidden: null },
  },
  'agents/updates/info': {
    method: 'GET',
    says: 'Show the version of a device and how its update proceeds.',
    input: z.object({ id }),
    output: z.object({ data: z.object(update) }),
    needs: [agent('agent_change_settings', { id: 'id' })],
    status: { ok: null, not_found: null, forbidden: null },
  },
  'agents/updates/pin': {
    method: 'POST',
    says: 'Let a device have only one version, or let it follow the account again.',
    input: z.object({ id, pin }),
    output: emptyObject,
    needs: [agent('agent_change_settings', { id: 'id' })],
    status: { ...status, not_found: 6 },
  },
});
