/** Policies of devices, by account, group and device. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id } from '../fields.ts';
import { agent, emptyObject, group, operations, team } from '../operation.ts';
import { policy, policySource } from '../policy.ts';

const from = policySource.describe('Where the value comes from');
const explained = <Setting extends z.ZodEnum>(setting: Setting) =>
  z
    .object({
      value: setting,
      from,
      inherited: setting.describe('What would apply without an own value'),
      inherited_from: from,
    })
    .describe(setting.description ?? '');

const { shape } = policy;
const settings = {
  confirm: explained(shape.confirm),
  notice: explained(shape.notice),
  recording: explained(shape.recording),
  clipboard: explained(shape.clipboard),
  files: explained(shape.files),
  terminal: explained(shape.terminal),
  sound: explained(shape.sound),
  printing: explained(shape.printing),
  direct: explained(shape.direct),
  idle_timeout: explained(shape.idle_timeout),
  onetime_url: explained(shape.onetime_url),
  update_channel: explained(shape.update_channel),
};

/** A value, or `inherit` to remove the own one. */
const chosen = <const Entries extends z.core.util.EnumLike>(setting: z.ZodEnum<Entries>) =>
  z
    .enum({ ...setting.enum, inherit: 'inherit' } as Entries & { readonly inherit: 'inherit' })
    .optional()
    .describe(setting.description ?? '');

const choices = {
  confirm: chosen(shape.confirm),
  notice: chosen(shape.notice),
  recording: chosen(shape.recording),
  clipboard: chosen(shape.clipboard),
  files: chosen(shape.files),
  terminal: chosen(shape.terminal),
  sound: chosen(shape.sound),
  printing: chosen(shape.printing),
  direct: chosen(shape.direct),
  idle_timeout: chosen(shape.idle_timeout),
  onetime_url: chosen(shape.onetime_url),
  update_channel: chosen(shape.update_channel),
};

const ofAgent = [agent('agent_change_settings', { id: 'agent_id' })] as const;
const ofGroup = [group('agent_change_settings', 'id')] as const;
const ofAccount = [team('team_user_admin')] as const;
const status = { ok: 0, internal: 2, invalid: 1, not_found: 6, forbidden: 8 } as const;

export const policies = operations({
  'agents/policy': {
    method: 'GET',
    says: 'Show the policy of a device: each setting, and whether the device, its group or the account decided it.',
    input: z.object({ agent_id: id }),
    output: z.object({
      data: z.object(settings),
      enforced: flag.describe(
        'Whether the agent enforces the policy itself. For an older agent the server does what it can: it allows less',
      ),
    }),
    needs: ofAgent,
    status: { ok: null, not_found: null, forbidden: null },
  },
  'agents/policy/update': {
    method: 'POST',
    says: 'Change the policy of a device; what is not sent stays as it is, and `inherit` leaves it to the group or the account.',
    input: z.object({ agent_id: id, ...choices }),
    output: emptyObject,
    needs: ofAgent,
    status,
    freshSignIn: true,
  },
  'groups/policy': {
    method: 'GET',
    says: 'Show the policy of a group: each setting, and whether the group or the account decided it.',
    input: z.object({ id: id.describe('Group') }),
    output: z.object({ data: z.object(settings) }),
    needs: ofGroup,
    status: { ok: null, not_found: null, forbidden: null },
  },
  'groups/policy/update': {
    method: 'POST',
    says: 'Change the policy of a group; what is not sent stays as it is, and `inherit` leaves it to the account.',
    input: z.object({ id: id.describe('Group'), ...choices }),
    output: emptyObject,
    needs: ofGroup,
    status,
    freshSignIn: true,
  },
  'account/policy': {
    method: 'GET',
    says: 'Show the policy of the account, which applies where no group and no device decides.',
    input: emptyObject,
    output: z.object({ data: z.object(settings) }),
    needs: ofAccount,
    status: { ok: null, forbidden: null },
  },
  'account/policy/update': {
    method: 'POST',
    says: 'Change the policy of the account; what is not sent stays as it is, and `inherit` restores the default.',
    input: z.object(choices),
    output: emptyObject,
    needs: ofAccount,
    status: { ok: 0, internal: 2, invalid: 1, forbidden: 8 },
    freshSignIn: true,
  },
});
