/** The tables whose rows belong to accounts. */
import type { Tables } from '@drawbridge/server/store/engine/schema';

/** The tables of accounts. Those that only the server uses, before an account is known, are protected separately. */
export type OwnedTable = Exclude<
  keyof Tables,
  'server_identity' | 'bus_key' | 'node' | 'recording_key' | 'sign_in_step' | 'notification_round'
>;

export const accountTables: Record<OwnedTable, true> = {
  account: true,
  member: true,
  api_key: true,
  sign_in_link: true,
  department: true,
  directory: true,
  department_member: true,
  role: true,
  agent_group: true,
  list_version: true,
  agent: true,
  permanent_path: true,
  access_entry: true,
  access_request: true,
  enrolment: true,
  presence: true,
  update_settings: true,
  agent_update: true,
  favorite: true,
  invitation: true,
  link: true,
  onetime_use: true,
  session: true,
  recording: true,
  recording_chunk: true,
  attached_file: true,
  panel_session: true,
  known_network: true,
  totp: true,
  recovery_code: true,
  passkey: true,
  brand: true,
  notification_subscription: true,
  notification_settings: true,
  notification_cause: true,
  notification: true,
  notification_item: true,
  usage: true,
  audit: true,
};
