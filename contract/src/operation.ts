/** The type of a row of an operation table, and the types derived from a row. */
import * as z from 'zod';
import type { Fault, FaultName } from './faults.ts';
import type { AgentPermission, SupportPermission, TeamPermission } from './permissions.ts';

/** A permission the caller must have, and the input fields that name the object it applies to. */
export type Need =
  | { on: 'team'; permission: TeamPermission }
  | { on: 'agent'; permission: AgentRight; by: AgentFields }
  /** The devices on which the caller has any permission; only the one that the field `by` names, if it is given. */
  | { on: 'agents'; by?: string }
  | { on: 'file'; permission: AgentRight; by: string }
  | { on: 'group'; permission: AgentPermission; by: string }
  | { on: 'groups' }
  | { on: 'invitation'; by: string; permission?: SupportPermission }
  | { on: 'invitations' }
  | { on: 'history' }
  /** The device or group of a request for access must be one that the caller sees; the change checks it. */
  | { on: 'visible' }
  /** The caller's own requests for access, or everyone's. */
  | { on: 'requests' }
  | { on: 'session'; permission: AgentPermission; by: string; support?: SupportPermission };

/** A certain permission on the device, any permission, or `exists` if the device only has to be in the account. */
export type AgentRight = AgentPermission | 'any' | 'exists';

/** The input fields that name a device: by internal id, by public id, or by either (the internal id takes precedence). */
export interface AgentFields {
  id?: string;
  deviceId?: string;
}

export interface Operation {
  method: 'GET' | 'POST';
  /** One sentence in the imperative: the manual, the CLI, the panel and the audit log print it. */
  says: string;
  /** What the device can and cannot do on which system, in sentences; the manual and the CLI print it. */
  systems?: string;
  /** Where parameters are sent. By default in the query for GET and in the body for POST. */
  from?: 'query' | 'body';
  /** Set if the body is a file of any type and size, read as a stream; parameters are then sent in the query. */
  body?: 'bytes';
  input: z.ZodObject;
  /** The reply's fields besides `status`. */
  output: z.ZodObject;
  /** Set if the reply is a file instead; faults are still JSON. */
  answers?: 'bytes';
  /** The media type of a file that the service writes. The media type of an uploaded file is not trusted, so it has none here. */
  media?: 'text/csv';
  /** True if the HTTP status is the whole answer and the body is empty, also on failure. */
  silent?: boolean;
  needs: readonly Need[];
  /** The number in the body for each outcome; null if the operation has no `status`. */
  status: { ok: 0 | null } & Partial<Record<FaultName, number | null>>;
  /** The response is kept until it changes, and carries an ETag with which clients can ask whether it has. */
  etag?: true;
  /** The older form of the API responds with the value of this output field alone. */
  legacyBody?: string;
  /** The panel carries out the operation only for people who confirmed their identity recently (`panel/step-up.ts`). */
  freshSignIn?: true;
}

export type Table = Record<string, Operation>;

/** Checks a table of rows while keeping each row's exact type. */
export const operations = <const Rows extends Table>(table: Rows): Rows => table;

export type Input<O extends Operation> = z.output<O['input']>;
export type Params<O extends Operation> = z.input<O['input']>;
export type Output<O extends Operation> = z.output<O['output']>;

/** The faults a handler of this row can return: only those the row lists. */
export type Refusal<O extends Operation> = Fault<Extract<keyof O['status'], FaultName>>;

export const team = <P extends TeamPermission>(permission: P) => ({ on: 'team', permission }) as const;
export const agent = <P extends AgentRight>(permission: P, by: AgentFields) =>
  ({ on: 'agent', permission, by }) as const;
export const group = <P extends AgentPermission>(permission: P, by: string) =>
  ({ on: 'group', permission, by }) as const;

/** A permission on the device that an attached file belongs to. */
export const file = <P extends AgentRight>(permission: P, by: string) =>
  ({ on: 'file', permission, by }) as const;

/** A permission on the device of a session. For an invitation: the permission to see it, and `support` if given. */
export const session = <P extends AgentPermission>(permission: P, by: string, support?: SupportPermission) =>
  ({ on: 'session', permission, by, ...(support && { support }) }) as const;

export const emptyObject = z.object({});

export const inputLocation = (row: Operation): 'query' | 'body' =>
  row.from ?? (row.method === 'GET' ? 'query' : 'body');

/**
 * The number in the body for an outcome. If the reference lists no number, a fault of the caller has 1 and a fault of the
 * service has none.
 */
export function statusOf(row: Operation, outcome: 'ok' | FaultName): number | undefined {
  if (row.status.ok === null) return undefined;
  const name = outcome === 'unavailable' ? 'internal' : outcome;
  const listed = row.status[name === 'unauthenticated' ? 'forbidden' : name];
  return listed ?? (name === 'internal' ? undefined : 1);
}
