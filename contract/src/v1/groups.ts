/** Permanent access: groups of devices. Rows are in the order of the reference. */
import * as z from 'zod';
import { id, name } from '../fields.ts';
import { agent, group, emptyObject, operations, team } from '../operation.ts';

const order = z.int().min(-2_147_483_648).max(2_147_483_647).describe('Position of the group in the list');
const status = { ok: 0, internal: 2, not_found: 6, forbidden: 8, invalid: 1 } as const;

export const groups = operations({
  'groups/list': {
    method: 'GET',
    says: 'List the groups of devices the caller may see.',
    input: emptyObject,
    output: z.object({ data: z.array(z.object({ id, name: z.string() })) }),
    needs: [{ on: 'groups' }],
    status: { ok: null },
  },
  'groups/create': {
    method: 'POST',
    says: 'Create a group of devices.',
    input: z.object({ name, order: order.optional() }),
    output: z.object({ id }),
    needs: [team('team_permanent_access')],
    status: { ok: 0, internal: 2, forbidden: 8, invalid: 1 },
  },
  'groups/edit': {
    method: 'POST',
    says: 'Change the name and the position of a group.',
    input: z.object({ id, name: name.optional(), order: order.optional() }),
    output: emptyObject,
    needs: [group('agent_change_settings', 'id')],
    status,
  },
  'groups/remove': {
    method: 'POST',
    says: 'Remove a group; its devices stay, without a group.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [group('agent_change_settings', 'id')],
    status,
  },
  'groups/agent/insert': {
    method: 'POST',
    says: 'Put a device into a group.',
    input: z.object({ id: id.describe('Group'), agent_id: id }),
    output: emptyObject,
    needs: [group('agent_change_settings', 'id'), agent('agent_change_settings', { id: 'agent_id' })],
    status,
  },
  'groups/agent/remove': {
    method: 'POST',
    says: 'Take a device out of its group.',
    input: z.object({ agent_id: id }),
    output: emptyObject,
    needs: [agent('agent_change_settings', { id: 'agent_id' })],
    status,
  },
});
