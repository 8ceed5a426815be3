/** The API reference, copied by hand: what the table of operations is compared with. */
import type { FaultName } from '@drawbridge/contract/faults';

/** Every operation of the reference: method, path, where parameters are sent, and their names. */
export const documentedOperations = `
GET  /v1/support/list                   query
GET  /v1/support/info                   query connection_id
POST /v1/support/create                 query client_name
POST /v1/support/update                 body  connection_id name
POST /v1/support/connect                query connection_id video
POST /v1/support/close                  query connection_id
GET  /v1/agents/list                    query search group_id
GET  /v1/agents/info                    query agent_id
POST /v1/agents/update                  body  id name permanent_url permanent_url.enable permanent_url.url permanent_url.password
POST /v1/agents/connect                 query agent_id device_id video
POST /v1/agents/reboot                  body  id safe
POST /v1/agents/wake                    body  id
POST /v1/agents/logout                  body  id
POST /v1/agents/merge                   body  agent_id device_id target_agent_id target_device_id
GET  /v1/groups/list                    query
POST /v1/groups/create                  body  name order
POST /v1/groups/edit                    body  id name order
POST /v1/groups/remove                  body  id
POST /v1/groups/agent/insert            body  id agent_id
POST /v1/groups/agent/remove            body  agent_id
GET  /v1/team/role/list                 query search type offset limit
GET  /v1/team/role/info                 query id
POST /v1/team/role/create               body  name description type permission
POST /v1/team/role/edit                 body  id name description permission
POST /v1/team/role/remove               body  id
GET  /v1/team/member/access/list        query email
POST /v1/team/member/access/add         body  email role_id agent_id group_id
POST /v1/team/member/access/remove      body  email role_id agent_id group_id
GET  /v1/team/department/access/list    query id
POST /v1/team/department/access/add     body  department_id role_id agent_id group_id
POST /v1/team/department/access/remove  body  department_id role_id agent_id group_id
GET  /v1/team/department/list           query search offset limit
GET  /v1/team/department/info           query id
POST /v1/team/department/create         body  name worker
POST /v1/team/department/update         body  id name
POST /v1/team/department/remove         body  id
POST /v1/team/department/member/add     body  id email
POST /v1/team/department/member/remove  body  id email
`
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path, carried, ...params] = line.split(/\s+/);
    return { method, id: path?.slice('/v1/'.length) ?? '', carried, params };
  });

/** Parameters we accept beside those of the reference. */
export const extraFields: Record<string, string[]> = {
  'agents/list': ['offset', 'limit'],
  'team/member/access/add': ['until'],
  'team/department/access/add': ['until'],
};

/** The table "Body `status` values per operation". An operation that is not in it has no `status`. */
export const statusLines = `
support/update | 0 updated; 4 internal server error
agents/update | 0 saved; 1 invalid request; 7 path of the permanent link is taken; 8 changing properties forbidden; 21 invalid password for the permanent link
agents/reboot | 0 request accepted; 1 invalid request
agents/wake | 0 request accepted; 1 invalid request
agents/logout | 0 done; 1 invalid request; 6 device not found; 8 operation forbidden
agents/merge | 0 merged; 2 internal server error; 6 one of the devices not found; 8 no access to one of the devices
groups/agent/insert | 0 added; 2 internal server error; 6 group or device not found; 8 insufficient rights
groups/agent/remove | 0 removed; 2 internal server error; 6 device not found; 8 insufficient rights
groups/create | 0 created; 2 internal server error; 8 insufficient rights
groups/edit, groups/remove | 0 done; 2 internal server error; 6 group not found; 8 insufficient rights
team/role/create, team/role/edit, team/role/remove | 0 done; 1 invalid request data; 6 insufficient rights
team/member/access/add, team/member/access/remove | 0 done; 1 invalid request data; 6 insufficient rights
team/member/access/list | 0 in the sample response
team/department/access/list | 0 in the sample response
team/department/access/add | 0 assigned; 1 invalid request data; 2 internal server error; 6 department not found; 8 insufficient rights
team/department/access/remove | 0 removed; 1 invalid request data; 6 insufficient rights
team/department/info | 0 data returned; 1 invalid request; 2 internal server error; 6 department not found; 8 access to the department forbidden
team/department/create, team/department/update | 0 done; 1 invalid request data; 6 insufficient rights
team/department/remove | 0 removed; 1 invalid request data; 8 insufficient rights
team/department/member/add, team/department/member/remove | 0 done; 1 invalid request data; 2 internal server error; 6 department or member not found; 6 insufficient rights
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [ids = '', meanings = ''] = line.split(' | ');
    return ids.split(', ').map((id) => ({ id, meanings: meanings.split('; ') }));
  });

const faultsMeant: [RegExp, FaultName][] = [
  [/invalid request/, 'invalid'],
  [/invalid password/, 'invalid_password'],
  [/is taken/, 'path_taken'],
  [/not found/, 'not_found'],
  [/forbidden|insufficient rights|no access/, 'forbidden'],
  [/internal server error/, 'internal'],
];

/** The numbers of one row of the table, by the fault that each stands for. */
export function numbersIn(meanings: readonly string[]): Map<FaultName, number> {
  const refusals = meanings.filter((meaning) => !meaning.startsWith('0 '));
  return new Map(
    refusals.map((meaning) => {
      const fault = faultsMeant.find(([words]) => words.test(meaning))?.[1];
      if (!fault) throw new Error(`what is meant by ${meaning}?`);
      return [fault, Number.parseInt(meaning, 10)];
    }),
  );
}

const devicePermissions =
  'agent_connect agent_control agent_file_transfer agent_terminal_mode agent_wake_on_lan agent_reboot agent_lock_screen agent_no_confirm agent_audio_calls agent_lock_input agent_chat agent_clipboard agent_preview agent_sessions agent_program_list agent_change_settings agent_logout agent_remove_video agent_notification';

/** The permission tables, by role type. */
export const documentedPermissions: Record<string, string[]> = {
  agent: devicePermissions.split(' '),
  group: devicePermissions.split(' '),
  quick_support:
    'quick_support_admin quick_support_technical agent_connect agent_control agent_file_transfer agent_terminal_mode agent_audio_calls agent_chat agent_reboot agent_app_install_request agent_clipboard agent_preview agent_remove_video'.split(
      ' ',
    ),
  team: 'team_security_log_admin team_brand_admin team_user_admin team_billing_admin team_api_key team_permanent_access'.split(
    ' ',
  ),
};
