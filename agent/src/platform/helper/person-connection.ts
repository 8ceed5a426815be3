/** A connection to the process of the signed-in person, which opens files and shells with the rights of that person. */
import type { Closable, SharedRef } from './ref-counted.ts';
import type { RemoteObjects } from './remote-objects.ts';

export interface PersonConnection extends Closable {
  objects: RemoteObjects;
  /** A sentence for what was open when the connection was closed. */
  whyClosed(): string;
}

/** Starts the process if it does not run. It may end some time after everything was released. */
export type AcquirePerson = () => Promise<SharedRef<PersonConnection>>;
