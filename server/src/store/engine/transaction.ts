/** The types of a change: its dependencies, its input and its output. */
import type { Kysely } from 'kysely';
import type { AuditLine } from '../../domain/audit.ts';
import type { ChangeInput, ChangeName, ChangeOutput } from '../changes.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tables } from './schema.ts';

/** What a change can use: a connection inside its transaction, and the time. */
export interface Tx {
  db: Kysely<Tables>;
  now: number;
}

/** Also what seals and opens the secrets of other systems. */
export interface ChangeTx extends Tx {
  secrets: SecretBox;
}

export type Change<Name extends ChangeName> = (
  tx: ChangeTx,
  input: ChangeInput<Name>,
) => Promise<ChangeOutput<Name>>;

/** The changes of one topic. */
export type ChangesOf<Names extends ChangeName> = { [Name in Names]: Change<Name> };

/** A change to be run by the database: plain data, so that it can be sent to another thread. */
export interface ChangeJob<Name extends ChangeName = ChangeName> {
  name: Name;
  input: ChangeInput<Name>;
  line?: AuditLine | undefined;
  now: number;
}
