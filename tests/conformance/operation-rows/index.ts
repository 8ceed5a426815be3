/** One test row per operation, in the order of the table of operations. The derived tests are made from these rows. */
import type { OperationId } from '@drawbridge/contract/v1/index';
import { accessRows } from './access.ts';
import { accessRequestsRows } from './identity/access-requests.ts';
import { accountRows } from './account.ts';
import { approvalsRows } from './approvals.ts';
import { agentExtrasRows } from './agent-extras.ts';
import { agentsRows } from './agents.ts';
import { brandingRows } from './branding.ts';
import { departmentsRows } from './departments.ts';
import { directoriesRows } from './identity/directories.ts';
import { providersRows } from './identity/providers.ts';
import { enrolmentRows } from './enrolment.ts';
import { filesRows } from './files.ts';
import { groupSettingsRows } from './group-settings.ts';
import { groupsRows } from './groups.ts';
import { historyRows } from './history.ts';
import { keysRows } from './keys.ts';
import { membersRows } from './members.ts';
import { policyRows } from './policies.ts';
import { provisioningRows } from './identity/provisioning.ts';
import { webhooksRows } from './identity/webhooks.ts';
import { rolesRows } from './roles.ts';
import type { FurtherRow, OperationParams, OperationRow, ResourceKind } from './row.ts';
import { sessionsRows } from './sessions.ts';
import { supportOperationRows } from './support.ts';
import { updatesRows } from './updates.ts';

const documentedRows = {
  ...supportOperationRows,
  ...agentsRows,
  ...groupsRows,
  ...rolesRows,
  ...accessRows,
  ...departmentsRows,
};

const furtherRows = {
  ...historyRows,
  ...membersRows,
  ...keysRows,
  ...accountRows,
  ...enrolmentRows,
  ...agentExtrasRows,
  ...filesRows,
  ...groupSettingsRows,
  ...sessionsRows,
  ...brandingRows,
  ...policyRows,
  ...updatesRows,
  ...directoriesRows,
  ...accessRequestsRows,
  ...providersRows,
  ...provisioningRows,
  ...webhooksRows,
  ...approvalsRows,
};

export const operationRows: Readonly<Record<OperationId, OperationRow>> = {
  ...documentedRows,
  ...furtherRows,
};

/** The operations that the reference does not have, by what was decided about them. */
export const furtherOperations = Object.entries<FurtherRow>(furtherRows).map(
  ([id, { signature, unnumbered }]) => {
    const [method, carried, reply, ...params] = signature.split(' ');
    return { method, id, carried, numbered: reply === 'numbered', unnumbered, params };
  },
);

/** The operations whose row has this column, in the order of the table. */
export const operationsWith = (column: keyof OperationRow): OperationId[] =>
  (Object.keys(operationRows) as OperationId[]).filter((id) => operationRows[id][column] !== undefined);

interface NamedParameter {
  parameter: string;
  kind: ResourceKind;
  isFilter: boolean;
}

/** The parameters of an operation that name a resource which exists already. */
export const namedParameters = (id: OperationId): NamedParameter[] =>
  Object.entries(operationRows[id].names ?? {}).flatMap(([parameter, named]): NamedParameter[] => {
    if (named === 'new') return [];
    const isFilter = typeof named === 'object';
    return [{ parameter, kind: isFilter ? named.filter : named, isFilter }];
  });

/**
 * Whether a request names a resource of the account: for someone of another account it does not exist. The
 * others work in their own account.
 */
export const namesResource = (id: OperationId, params: OperationParams): boolean =>
  namedParameters(id).some(({ parameter, isFilter }) => !isFilter && parameter in params);
