/** Permanent access: devices. Rows are in the order of the reference. */
import * as z from 'zod';
import { passwordLength } from '../choices.ts';
import { flag, id, idText, name, number, search, secret, unixtime } from '../fields.ts';
import { hardware } from '../hardware.ts';
import { agent, emptyObject, operations } from '../operation.ts';

const geo = {
  ip: z.string(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
};

const agentView = z.object({
  id,
  device_id: id.describe('Public identifier, 9 digits'),
  name: z.string(),
  group: z.string().describe('Name of the group the device is in'),
  disabled: flag.describe('Blocked: connecting is impossible'),
  limited: flag.describe('Becomes blocked 10 days after it was added'),
  link_time: unixtime.describe('When the device was added to the account'),
  last_time: unixtime.describe('When the device was last online'),
  geo: z.object(geo),
  permanent_url: z.string().optional().describe('Permanent connection URL; absent while closed'),
  onetime_url: z
    .string()
    .optional()
    .describe(
      'One-time connection URL of the caller: opens with what they may do; changes every 45 seconds; absent where the settings of device, group or account forbid it',
    ),
  preview_url: z.string().describe('URL of the desktop preview image'),
  os: z.enum(['win', 'mac', 'linux', 'android', '']),
  os_user: z.string(),
  rdp: flag,
  hibernate: flag.describe('Sleep mode'),
  power_supply: flag,
  version: z.string().describe('Version of the agent'),
  online: flag,
  installed: flag,
  favorite: flag,
  owner: z.string().describe('Account (an e-mail address) that owns access to the computer'),
  sessions: z.object({
    last: z
      .object({
        id,
        start_time: unixtime,
        stop_time: unixtime.optional().describe('Absent while the connection is active'),
        client: z.object({ ...geo, user_agent: z.string() }),
      })
      .optional(),
    total: number,
  }),
});

const agentDetails = agentView.extend({ hardware });

const data = z.object({ data: agentDetails });
const exactlyOne = (a: unknown, b: unknown): boolean => (a === undefined) !== (b === undefined);

export const agents = operations({
  'agents/list': {
    method: 'GET',
    says: 'List the devices the caller may see.',
    input: z.object({
      search: search.optional().describe('Part of the name, IP address or group name'),
      group_id: idText.optional().describe('Only devices of this group; all when empty'),
      offset: z.int().min(0).optional().describe('How many to skip'),
      limit: z.int().min(1).max(100).optional().describe('How many to return at the most; all when absent'),
    }),
    output: z.object({ data: z.array(agentView) }),
    needs: [{ on: 'agents' }],
    status: { ok: null },
    etag: true,
    legacyBody: 'data',
  },
  'agents/info': {
    method: 'GET',
    says: 'Show one device with its hardware.',
    systems:
      'On Linux `ComputerWorkgroup`, `LocaleCurrency` and the `Manufacturer` of network adapters are always empty, and `RAMBanks` unless the agent runs as root. Agents on macOS report only `ComputerName`.',
    input: z.object({ agent_id: id }),
    output: data,
    needs: [agent('any', { id: 'agent_id' })],
    status: { ok: null, not_found: null, forbidden: null },
  },
  'agents/update': {
    method: 'POST',
    says: 'Change the name and the permanent link of a device; only what is sent changes.',
    input: z.object({
      id,
      name: name.optional(),
      permanent_url: z
        .object({
          enable: flag.optional(),
          url: z
            .string()
            .regex(/^[a-z0-9-]{3,64}$/, 'must be 3 to 64 characters of a-z, 0-9 and -')
            .optional()
            .describe(
              'Path of the link: 3 to 64 characters of `a-z`, `0-9` and `-`, and no word that the service uses itself, such as `panel`',
            ),
          password: secret(
            z.string().meta({ minLength: passwordLength.least, maxLength: passwordLength.most }),
          )
            .optional()
            .describe(
              'Letters and digits. Anyone who sets it, or opens the link, must hold every permission of a session',
            ),
        })
        .optional(),
    }),
    output: data,
    needs: [agent('agent_change_settings', { id: 'id' })],
    status: { ok: 0, invalid: 1, path_taken: 7, forbidden: 8, invalid_password: 21, not_found: 1 },
  },
  'agents/connect': {
    method: 'POST',
    from: 'query',
    says: 'Create a single-use link to the device.',
    systems:
      'Linux shows its screen with X11, and with Wayland on GNOME, KDE and desktops based on wlroots, through the portal of the desktop, or with a VNC server on the device. Agents on Windows were tested under Wine only. Agents on macOS refuse screen, files, terminal and calls.',
    input: z
      .object({
        agent_id: id.optional(),
        device_id: id.optional().describe('Used when agent_id is absent'),
        video: flag.optional().describe('true turns video recording on, false off'),
      })
      .refine((q) => q.agent_id !== undefined || q.device_id !== undefined, {
        message: 'agent_id or device_id is needed',
        path: ['agent_id'],
      }),
    output: z.object({ data: z.object({ url: z.string().describe('Single-use link') }) }),
    needs: [agent('agent_connect', { id: 'agent_id', deviceId: 'device_id' })],
    status: { ok: null, forbidden: null, not_found: null },
  },
  'agents/reboot': {
    method: 'POST',
    says: 'Reboot the device, in safe mode if asked.',
    systems:
      'Linux has no safe mode: with `safe` true the device refuses (`agent_refused`) and keeps running. Windows has one, with network. Agents on macOS refuse every reboot.',
    input: z.object({ id, safe: flag.default(false).describe('true: safe mode; false: normal') }),
    output: emptyObject,
    needs: [agent('agent_reboot', { id: 'id' })],
    status: { ok: 0, invalid: 1, not_found: 1, forbidden: 1 },
  },
  'agents/wake': {
    method: 'POST',
    says: 'Wake the device with Wake-on-LAN.',
    systems:
      'The device can have any system, if its firmware and network adapter are set up for Wake-on-LAN. Only the server and agents on Linux send the packets.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [agent('agent_wake_on_lan', { id: 'id' })],
    status: { ok: 0, invalid: 1, not_found: 1, forbidden: 1 },
  },
  'agents/logout': {
    method: 'POST',
    says: 'Unlink the device from the account and remove it from permanent access.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [agent('agent_logout', { id: 'id' })],
    status: { ok: 0, invalid: 1, not_found: 6, forbidden: 8 },
  },
  'agents/merge': {
    method: 'POST',
    says: 'Merge a duplicate into the device that stays.',
    input: z
      .object({
        agent_id: id.optional().describe('The duplicate'),
        device_id: id.optional().describe('The duplicate, by its public identifier'),
        target_agent_id: id.optional().describe('The device that stays'),
        target_device_id: id.optional().describe('The device that stays, by its public identifier'),
      })
      .refine((b) => exactlyOne(b.agent_id, b.device_id), {
        message: 'exactly one of agent_id and device_id is needed',
        path: ['agent_id'],
      })
      .refine((b) => exactlyOne(b.target_agent_id, b.target_device_id), {
        message: 'exactly one of target_agent_id and target_device_id is needed',
        path: ['target_agent_id'],
      }),
    output: emptyObject,
    needs: [
      agent('agent_logout', { id: 'agent_id', deviceId: 'device_id' }),
      agent('agent_change_settings', { id: 'target_agent_id', deviceId: 'target_device_id' }),
    ],
    status: { ok: 0, internal: 2, not_found: 6, forbidden: 8, invalid: 1 },
  },
});
