/** Which operations of the API the panel carries out only for somebody who showed, a short while ago, that it is them. */
import type { OperationId } from '../v1/index.ts';

/** How long, in seconds, somebody counts as having just shown who they are. */
export const freshLifetime = 600;

/** The code of the refusal; the panel then asks the person and tries again. */
export const confirmCode = 'confirm_identity';

const guardedOperations: ReadonlySet<string> = new Set<OperationId>([
  'keys/create',
  'keys/revoke',
  'team/role/create',
  'team/role/edit',
  'team/role/remove',
  'team/member/access/add',
  'team/department/access/add',
  'team/department/member/add',
  'groups/settings/update',
]);

export const needsFresh = (operation: string): boolean => guardedOperations.has(operation);
