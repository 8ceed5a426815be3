/** The shape of one row of an operation table, and the types that derive from a row. */
import * as z from 'zod';
import type { Fault, FaultName } from './faults.ts';
import type { AgentPermission, SupportPermission, TeamPermission } from './permissions.ts';

/** What the caller must hold, and which input fields name the thing it is held on. */
export type Need =
  | { on: 'team'; permission: TeamPermission }
  | { on: 'agent'; permission: AgentRight; by: AgentFields }
  | { on: 'agents' }
  | { on: 'file'; permission: AgentRight; by: string }
  | { on: 'group'; permission: AgentPermission; by: string }
  | { on: 'groups' }
  | { on: 'invitation'; by: string; permission?: SupportPermission }
  | { on: 'invitations' }
  | { on: 'history' }
  | { on: 'session'; permission: AgentPermission; by: string; support?: SupportPermission };

/** A permission on the device, any at all, or none where the device must only be there. */
export type AgentRight = AgentPermission | 'any' | 'exists';

/** The input fields that name a device: by its internal id, by its public one, or by either (the id wins). */
export interface AgentFields {
  id?: string;
  deviceId?: string;
}

export interface Operation {
  method: 'GET' | 'POST';
  /** One sentence in the imperative: the manual, the CLI, the panel and the audit log print it. */
  says: string;
  /** Where parameters travel; GET: query, POST: body, unless the row says otherwise. */
  from?: 'query' | 'body';
  /** Set where the body is a file of any kind and size, taken as it comes; parameters then travel in the query. */
  body?: 'bytes';
  input: z.ZodObject;
  /** The reply's fields beside `status`. */
  output: z.ZodObject;
  /** Set where the reply is a file instead; refusals are JSON all the same. */
  answers?: 'bytes';
  /** The media type of that file where it is written by the service; files that people brought have none that counts. */
  media?: 'text/csv';
  /** True where the HTTP code speaks alone and the body is empty, also on failure. */
  silent?: boolean;
  needs: readonly Need[];
  /** The number in the body per outcome; null where the operation has no `status`. */
  status: { ok: 0 | null } & Partial<Record<FaultName, number | null>>;
  /** The response carries an ETag, with which clients can ask whether it has changed. */
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

/** The faults a handler of this row may return: those the row lists, and no others. */
export type Refusal<O extends Operation> = Fault<Extract<keyof O['status'], FaultName>>;

export const team = <P extends TeamPermission>(permission: P) => ({ on: 'team', permission }) as const;
export const agent = <P extends AgentRight>(permission: P, by: AgentFields) =>
  ({ on: 'agent', permission, by }) as const;
export const group = <P extends AgentPermission>(permission: P, by: string) =>
  ({ on: 'group', permission, by }) as const;

/** A right on the device that an attached file belongs to. */
export const file = <P extends AgentRight>(permission: P, by: string) =>
  ({ on: 'file', permission, by }) as const;

/** A right on the device of a session; with an invitation, the right to see the invitation, and `support` if given. */
export const session = <P extends AgentPermission>(permission: P, by: string, support?: SupportPermission) =>
  ({ on: 'session', permission, by, ...(support && { support }) }) as const;

export const emptyObject = z.object({});

export const inputLocation = (row: Operation): 'query' | 'body' =>
  row.from ?? (row.method === 'GET' ? 'query' : 'body');

/**
 * The number in the body for an outcome. Where the reference lists none for a refusal it is 1; where it lists none
 * for a fault of the service, there is no number.
 */
export function statusOf(row: Operation, outcome: 'ok' | FaultName): number | undefined {
  if (row.status.ok === null) return undefined;
  const listed = row.status[outcome === 'unauthenticated' ? 'forbidden' : outcome];
  return listed ?? (outcome === 'internal' ? undefined : 1);
}
