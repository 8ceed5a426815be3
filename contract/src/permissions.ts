/** The permissions of the reference, each with the description shown in the panel and in the docs. */

const agentPermissions = {
  agent_connect: 'Connect to the device screen in view mode',
  agent_control: 'Control the screen with mouse and keyboard',
  agent_file_transfer: 'Connect to the file system',
  agent_terminal_mode: 'Connect in terminal mode',
  agent_wake_on_lan: 'Wake the device with Wake-on-LAN',
  agent_reboot: 'Reboot the device',
  agent_lock_screen: 'Lock the operating system account on the device',
  agent_no_confirm: 'Connect without asking the user, where the group settings ask for confirmation',
  agent_audio_calls: 'Make calls',
  agent_lock_input: 'Black out the screen and block input',
  agent_chat: 'Send text messages',
  agent_clipboard: 'Synchronise the clipboard',
  agent_preview: 'View the screen preview in the device list',
  agent_sessions: 'See the connection history',
  agent_program_list: 'See the installed software',
  agent_change_settings: 'Change device properties',
  agent_logout: 'Remove devices',
  agent_remove_video: 'Remove video recordings',
  agent_notification: 'Manage notifications',
} as const;

const supportPermissions = {
  quick_support_admin: 'Access own invitations only',
  quick_support_technical: 'Access all invitations of the team',
  agent_connect: 'View the screen',
  agent_control: 'Control with mouse and keyboard',
  agent_file_transfer: 'Connect to the file system',
  agent_terminal_mode: 'Connect in terminal mode',
  agent_audio_calls: 'Make calls',
  agent_chat: 'Send text messages',
  agent_reboot: 'Reboot the device',
  agent_app_install_request: 'Send a request to install the agent application',
  agent_clipboard: 'Synchronise the clipboard',
  agent_preview: 'View the screen preview',
  agent_remove_video: 'Remove video recordings',
} as const;

const teamPermissions = {
  team_security_log_admin: 'See the audit log of the team',
  team_brand_admin: 'Change the branding',
  team_user_admin: 'Manage technicians and team settings',
  team_billing_admin: 'Manage the plan and payment',
  team_api_key: 'Manage API keys',
  team_permanent_access: 'Open the Permanent access section and add devices',
} as const;

/** The type of a role determines which permissions it can contain. */
export const permissionsOf = {
  agent: agentPermissions,
  group: agentPermissions,
  quick_support: supportPermissions,
  team: teamPermissions,
} as const;

export type AgentPermission = keyof typeof agentPermissions;
export type SupportPermission = keyof typeof supportPermissions;
export type TeamPermission = keyof typeof teamPermissions;
export type Permission = AgentPermission | SupportPermission | TeamPermission;
export type RoleType = keyof typeof permissionsOf;

export const roleTypes = Object.keys(permissionsOf) as [RoleType, ...RoleType[]];
export const permissionIds = (type: RoleType): Permission[] =>
  Object.keys(permissionsOf[type]) as Permission[];
