/** The policy of a device: settings that an account, a group or the device decides. The nearest one that decides wins. */
import * as z from 'zod';
import type { SessionPermission } from './session/frame-kinds.ts';

const direction = z.enum(['off', 'to_device', 'from_device', 'both']);
const onOff = z.enum(['off', 'on']);

export const policy = z.object({
  confirm: z
    .enum(['never', 'ask', 'always'])
    .describe(
      'Whether the person at the device is asked before somebody connects. With `ask`, holders of agent_no_confirm are not held up; with `always`, everyone is, and the device ensures it',
    ),
  notice: z
    .enum(['required', 'where_possible'])
    .describe(
      'Whether the screen is shown only if the person at the device can be told who is connected. Some Wayland desktops have no place for the banner',
    ),
  recording: z
    .enum(['off', 'allowed', 'always'])
    .describe('`allowed` leaves it to the link, to the account and to the operator'),
  clipboard: direction.describe('In which directions the clipboard is sent'),
  files: direction.describe(
    'In which directions files are sent. Creating, renaming and removing count as `to_device`',
  ),
  terminal: onOff.describe('Whether operators can open terminals'),
  sound: onOff.describe('Whether operators can hear the sound of the device'),
  printing: onOff.describe('Whether documents printed on the device can be sent to operators'),
  direct: onOff.describe('Whether sessions may switch from the relay to a direct connection'),
  idle_timeout: z
    .enum(['never', '5m', '10m', '15m', '30m', '1h', '2h', '4h', '8h'])
    .describe('When the device ends a session that nobody uses'),
  onetime_url: z.enum(['allow', 'forbid']).describe('Whether the device has one-time URLs'),
  update_channel: z
    .enum(['stable', 'off'])
    .describe('Which updates the agent installs: those that the server offers, or none'),
});
export type Policy = z.output<typeof policy>;

export const defaultPolicy: Policy = {
  confirm: 'never',
  notice: 'required',
  recording: 'allowed',
  clipboard: 'both',
  files: 'both',
  terminal: 'on',
  sound: 'on',
  printing: 'on',
  direct: 'on',
  idle_timeout: 'never',
  onetime_url: 'allow',
  update_channel: 'stable',
};

export const policySettings = Object.keys(defaultPolicy) as readonly (keyof Policy)[];

/** Where a setting was decided. */
export const policySource = z.enum(['default', 'account', 'group', 'device']);
export type PolicySource = z.output<typeof policySource>;

/** The settings that limit a permission of sessions. */
const limitedPermissions = {
  clipboard: 'agent_clipboard',
  files: 'agent_file_transfer',
  terminal: 'agent_terminal_mode',
} as const satisfies Partial<Record<keyof Policy, SessionPermission>>;

type LimitingSetting = keyof typeof limitedPermissions;

/** The permissions of sessions that a policy limits: `off` entirely, or `partly` to one direction. */
export const limitsOf = (
  own: Pick<Policy, LimitingSetting>,
): ReadonlyMap<SessionPermission, 'off' | 'partly'> =>
  new Map(
    (Object.keys(limitedPermissions) as LimitingSetting[]).flatMap((setting) => {
      if (own[setting] === defaultPolicy[setting]) return [];
      return [[limitedPermissions[setting], own[setting] === 'off' ? 'off' : 'partly'] as const];
    }),
  );

/** Whether the clipboard or files may be sent in a direction. */
export const allowsDirection = (
  setting: Policy['clipboard' | 'files'],
  to: 'to_device' | 'from_device',
): boolean => setting === 'both' || setting === to;

const minutes: Record<Policy['idle_timeout'], number> = {
  never: Infinity,
  '5m': 5,
  '10m': 10,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '2h': 120,
  '4h': 240,
  '8h': 480,
};

/** Infinity without a time-out. */
export const idleMinutesOf = ({ idle_timeout }: Pick<Policy, 'idle_timeout'>): number =>
  minutes[idle_timeout];
