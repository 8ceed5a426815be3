/** Further operations on a device. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, notes, number, onetimePolicy, secret, unixtime } from '../fields.ts';
import { agent, emptyObject, operations } from '../operation.ts';

const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;
const onetime_url = onetimePolicy.describe(
  'Whether the device has one-time URLs; `inherit` leaves it to its group, or to the account',
);
const which = z.object({ id, device_id: id, name: z.string(), online: flag, last_time: unixtime });

export const agentExtras = operations({
  'agents/lock': {
    method: 'POST',
    says: 'Lock the screen of the person who works on the device.',
    systems:
      'Linux needs systemd-logind and a screen locker that reports success; without them the device refuses (`agent_refused`). Windows locks the session of the agent. Agents on macOS refuse.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [agent('agent_lock_screen', { id: 'id' })],
    status,
  },
  'agents/favorite': {
    method: 'POST',
    says: 'Mark the device as a favourite of yours, or no longer.',
    input: z.object({ id, favorite: flag.describe('Whether it is a favourite from now on') }),
    output: emptyObject,
    needs: [agent('any', { id: 'id' })],
    status,
  },
  'agents/software': {
    method: 'GET',
    says: 'List the software that is installed on the device.',
    systems:
      'Linux reports the packages of dpkg, rpm, pacman or apk. Windows reports what "Apps & Features" shows. Agents on macOS refuse (`agent_refused`).',
    input: z.object({ agent_id: id }),
    output: z.object({
      time: unixtime.describe('When the device told it'),
      data: z.array(
        z.object({ name: z.string(), version: z.string(), publisher: z.string(), install_date: z.string() }),
      ),
    }),
    needs: [agent('agent_program_list', { id: 'agent_id' })],
    status: { ok: null, invalid: null, not_found: null, forbidden: null },
  },
  'agents/duplicates': {
    method: 'GET',
    says: 'List devices that look like one machine installed twice, and keys that are used by two.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          source: which.describe('The duplicate: the one that was seen less lately'),
          target: which.describe('The device to keep'),
          because: z.array(z.enum(['machine_id', 'serial', 'mac', 'copied_key'])),
        }),
      ),
      copied: z
        .array(which.extend({ time: unixtime }))
        .describe('Devices whose key was used from two machines'),
      total: number,
    }),
    needs: [{ on: 'agents' }],
    status: { ok: null },
  },
  'agents/copied/clear': {
    method: 'POST',
    says: 'Confirm that the copied key of a device was investigated: it is listed again when two machines use it again.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [agent('agent_change_settings', { id: 'id' })],
    status,
  },
  'agents/settings': {
    method: 'GET',
    says: 'Show the settings of a device.',
    input: z.object({ agent_id: id }),
    output: z.object({
      data: z.object({
        onetime_url,
        onetime_url_inherited: z
          .enum(['allow', 'forbid'])
          .describe('What the group or the account says, which applies with `inherit`'),
      }),
    }),
    needs: [agent('agent_change_settings', { id: 'agent_id' })],
    status: { ok: null, not_found: null, forbidden: null },
  },
  'agents/settings/update': {
    method: 'POST',
    says: 'Change the settings of a device; only what is sent changes.',
    input: z.object({ agent_id: id, onetime_url: onetime_url.optional() }),
    output: emptyObject,
    needs: [agent('agent_change_settings', { id: 'agent_id' })],
    status,
  },
  'agents/notes': {
    method: 'GET',
    says: 'Show what was written down about the device.',
    input: z.object({ agent_id: id }),
    output: z.object({ data: z.object({ notes: z.string() }) }),
    needs: [agent('any', { id: 'agent_id' })],
    status: { ok: null, not_found: null, forbidden: null },
  },
  'agents/notes/update': {
    method: 'POST',
    says: 'Write down something about the device, in the place of what was there.',
    input: z.object({
      agent_id: id,
      // People write passwords into notes, so the audit log records the change but not the new text.
      notes: secret(notes).describe('Plain text; empty for none'),
      before: secret(notes)
        .optional()
        .describe('What was there when it was read: refused when it says something else by now'),
    }),
    output: emptyObject,
    needs: [agent('agent_change_settings', { id: 'agent_id' })],
    status,
  },
});
