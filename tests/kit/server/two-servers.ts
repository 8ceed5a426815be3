/** Two server processes on one PostgreSQL and one NATS, and a client of the same owner at each. */
import { rmSync } from 'node:fs';
import type { TestPerson } from './account.ts';
import { createPersonAt } from './person-at.ts';
import { openDatabaseFor } from './database.ts';
import { createSharedSettings } from './shared-settings.ts';
import { startNats, type Nats } from './nats.ts';
import { firstApiKey, startServerProcess, type ServerProcess } from '../process.ts';

export interface TwoServers extends AsyncDisposable {
  nats: Nats;
  /** The settings that both share, for a third server, and the folder of their certificate. */
  env: Record<string, string>;
  folder: string;
  one: ServerProcess;
  other: ServerProcess;
  here: TestPerson;
  there: TestPerson;
}

/** `settings`: further ones of both. */
export async function startTwoServers(settings: Record<string, string> = {}): Promise<TwoServers> {
  const [nats, database] = await Promise.all([startNats(), openDatabaseFor('postgres')]);
  const shared = await createSharedSettings();
  const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url, ...settings };
  const one = await startServerProcess(env);
  const other = await startServerProcess(env);
  const key = firstApiKey(one);
  return {
    nats,
    env,
    folder: shared.folder,
    one,
    other,
    here: createPersonAt(one.url, key, shared.folder),
    there: createPersonAt(other.url, key, shared.folder),
    async [Symbol.asyncDispose]() {
      for (const server of [one, other]) {
        await server.end('SIGKILL');
        rmSync(server.folder, { recursive: true, force: true });
      }
      shared[Symbol.dispose]();
      await nats[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}
