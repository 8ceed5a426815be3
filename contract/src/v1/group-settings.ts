/** Settings of a group that apply to the devices in it. */
import * as z from 'zod';
import { id, onetimePolicy } from '../fields.ts';
import { group, emptyObject, operations } from '../operation.ts';
import { policy } from '../policy.ts';

const { confirm } = policy.shape;
const onetime_url = onetimePolicy.describe(
  'Whether devices of the group have one-time URLs; `inherit` leaves it to the account',
);
const needs = [group('agent_change_settings', 'id')] as const;

export const groupSettings = operations({
  'groups/settings': {
    method: 'GET',
    says: 'Show the settings of a group.',
    input: z.object({ id: id.describe('Group') }),
    output: z.object({ data: z.object({ confirm, onetime_url }) }),
    needs,
    status: { ok: null, not_found: null, forbidden: null },
  },
  'groups/settings/update': {
    method: 'POST',
    says: 'Change the settings of a group; what is not sent stays as it is.',
    input: z.object({
      id: id.describe('Group'),
      confirm: confirm.optional(),
      onetime_url: onetime_url.optional(),
    }),
    output: emptyObject,
    needs,
    status: { ok: 0, internal: 2, invalid: 1, not_found: 6, forbidden: 8 },
    freshSignIn: true,
  },
});
