/** Texts of the policies of account, groups and devices. */
const directions = {
  off: 'Off',
  to_device: 'Only to the device',
  from_device: 'Only from the device',
  both: 'Both directions',
} as const;
const onOff = { off: 'Off', on: 'On' } as const;

export const policyTexts = {
  title: 'Policy',
  groupTitle: (name: string) => `Policy of ${name}`,
  accountLead:
    'These settings apply to every device, unless its group or the device itself has a value of its own.',
  groupLead: 'These settings apply to the devices in this group that have no value of their own.',
  deviceLead: 'What has a value here no longer follows the group or the account.',
  notEnforced:
    'The agent on this device is too old to enforce the policy itself. The server allows less instead, and idle sessions stay open. Update the agent.',
  inherit: {
    default: (value: string) => `Default: ${value}`,
    account: (value: string) => `From the account: ${value}`,
    group: (value: string) => `From the group: ${value}`,
    device: (value: string) => value,
  },
  settings: {
    confirm: {
      label: 'Ask on the device before somebody connects',
      hint: 'Nobody sees the screen before the person at the device has agreed.',
      values: {
        never: 'Never',
        ask: 'Ask, except those who may connect without asking',
        always: 'Always ask',
      },
    },
    notice: {
      label: 'Tell the person at the device',
      hint: 'Some Wayland desktops, such as GNOME without XWayland, have no place for the banner that names who is connected.',
      values: {
        required: 'Always: otherwise the screen is not shown',
        where_possible: 'Where the desktop allows it',
      },
    },
    recording: {
      label: 'Recording',
      hint: '“When asked for” leaves it to the link, the settings of the account and the operator.',
      values: { off: 'Never', allowed: 'When asked for', always: 'Every session' },
    },
    clipboard: { label: 'Clipboard', hint: undefined, values: directions },
    files: {
      label: 'Files',
      hint: 'Creating, renaming and removing files counts as “to the device”.',
      values: directions,
    },
    terminal: { label: 'Terminal', hint: undefined, values: onOff },
    sound: {
      label: 'Sound of the device',
      hint: 'Off: operators cannot hear what the device plays. Calls are not affected.',
      values: onOff,
    },
    printing: {
      label: 'Printing to operators',
      hint: 'Off: documents that are printed on the device cannot be sent to operators. Downloads are not affected.',
      values: onOff,
    },
    direct: {
      label: 'Direct connections',
      hint: 'Off: sessions always go through the relay of the server.',
      values: onOff,
    },
    idle_timeout: {
      label: 'Close idle sessions',
      hint: undefined,
      values: {
        never: 'Never',
        '5m': 'After 5 minutes',
        '10m': 'After 10 minutes',
        '15m': 'After 15 minutes',
        '30m': 'After 30 minutes',
        '1h': 'After 1 hour',
        '2h': 'After 2 hours',
        '4h': 'After 4 hours',
        '8h': 'After 8 hours',
      },
    },
    onetime_url: {
      label: 'One-time links',
      hint: 'Anyone who gets such a link from a member of your team can connect once, with the rights of that member.',
      values: { allow: 'Allowed', forbid: 'Forbidden' },
    },
    update_channel: {
      label: 'Updates of the agent',
      hint: 'When devices update themselves is set on the page Updates.',
      values: { stable: 'Versions that this server offers', off: 'Off' },
    },
  },
} as const;
