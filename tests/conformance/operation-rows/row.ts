/** The test row of an operation: a valid request, who may send it, and what is expected. The derived tests read it. */
import type { FaultName } from '@drawbridge/contract/faults';
import type { Operation, Params } from '@drawbridge/contract/operation';
import type { TestService } from '../../kit/server/service.ts';
import type { AccountResources } from '../account-resources.ts';
import type { Rule } from './rules.ts';

export type OperationParams = Record<string, unknown>;

export type MakeRequest = (resources: AccountResources, service: TestService) => Promise<OperationParams>;

export type ResourceKind =
  | 'agent'
  | 'device'
  | 'group'
  | 'role'
  | 'department'
  | 'directory'
  | 'provider'
  | 'scimToken'
  | 'webhook'
  | 'invitation'
  | 'key'
  | 'token'
  | 'file'
  | 'session'
  | 'request'
  | 'email';

/**
 * What a parameter names: a resource that must exist, a resource by which a list is filtered, or one that the
 * operation creates.
 */
type NamedResource = ResourceKind | { filter: ResourceKind } | 'new';

export interface OperationRow {
  /** Parameters with which the owner's request succeeds. */
  request: MakeRequest;
  /** The body, if the operation takes a file. */
  file?: Buffer<ArrayBuffer>;
  /** The outcome for a technician, by what they hold. The owner may do everything. */
  outcome: Rule;
  /** Whether everybody may leave out all parameters, to ask about what they may see. */
  openWithoutParameters?: true;
  names?: Readonly<Record<string, NamedResource>>;
  /** What the audit log says of this request, if it is not `done`: it succeeds, but changes nothing. */
  logged?: string;
  /** Whether people at the panel must have confirmed their identity recently. */
  freshSignIn?: true;
  /** The fields called `name` may not be empty, except this one. */
  emptyName?: true;
  /** What a successful reply is, if not JSON. */
  reply?: 'empty' | 'text/csv; charset=utf-8' | 'application/octet-stream';
}

/** A row of an operation that the reference does not have, with what was decided instead. */
export interface FurtherRow extends OperationRow {
  /** Method, where parameters are sent, whether the reply has a `status`, and the names of the parameters in order. */
  signature: `${'GET' | 'POST'} ${'query' | 'body'} ${'plain' | 'numbered'}${'' | ` ${string}`}`;
  /** A fault that has no number although the reply has a `status`. */
  unnumbered?: FaultName;
}

type NamingParam<Row extends Operation> = Extract<keyof Params<Row>, 'id' | 'email' | `${string}_id`>;

/** Each parameter that names something says what: a missing or an extra one does not compile. */
type NamesOf<Row extends Operation> = [NamingParam<Row>] extends [never]
  ? { names?: never }
  : { names: Readonly<Record<NamingParam<Row>, NamedResource>> };

/** One row per operation of a table: a missing or an extra one does not compile. */
export type RowsOf<Table extends Record<string, Operation>, Row extends OperationRow = OperationRow> = {
  readonly [Id in keyof Table]: Row & NamesOf<Table[Id]>;
};
