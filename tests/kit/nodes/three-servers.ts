/** Three server processes on one PostgreSQL and one NATS, behind a balancer that sends each connection to the next one. */
import { rmSync } from 'node:fs';
import type { TestPerson } from '../server/account.ts';
import { openDatabaseFor } from '../server/database.ts';
import { startNats } from '../server/nats.ts';
import { createPersonAt } from '../server/person-at.ts';
import { openTcpProxy, type TestProxy } from '../server/proxies.ts';
import { createSharedSettings } from '../server/shared-settings.ts';
import { freePort } from '../free-port.ts';
import { firstApiKey, startServerProcess, type ServerProcess } from '../process.ts';

export interface ThreeServers extends AsyncDisposable {
  servers: readonly ServerProcess[];
  balancer: TestProxy;
  /** The settings that they share. */
  env: Record<string, string>;
  /** The folder of their certificate. */
  folder: string;
  /** The owner, who calls the API through the balancer. */
  person: TestPerson;
  /** From now on the balancer uses these only. */
  sendTo(servers: readonly ServerProcess[]): void;
}

/** `more`: settings of all three. */
export async function startThreeServers(more: Record<string, string> = {}): Promise<ThreeServers> {
  await using cleanup = new AsyncDisposableStack();
  const nats = cleanup.use(await startNats());
  const database = await openDatabaseFor('postgres');
  cleanup.defer(() => database.drop());
  const shared = cleanup.use(await createSharedSettings());
  const servers: ServerProcess[] = [];
  let [targets, next]: [readonly ServerProcess[], number] = [servers, 0];
  const balancer = cleanup.use(await openTcpProxy(() => targets[next++ % targets.length]!.url));
  const env = {
    ...database.env,
    ...shared.env,
    DRAWBRIDGE_BUS: nats.url,
    DRAWBRIDGE_PUBLIC_URL: balancer.url,
    ...more,
  };
  while (servers.length < 3) {
    const port = await freePort();
    const server = await startServerProcess(env, { port });
    servers.push({ ...server, url: `https://localhost:${port}` });
    cleanup.defer(() => rmSync(server.folder, { recursive: true, force: true }));
    cleanup.use(server);
  }
  const rest = cleanup.move();
  return {
    servers,
    balancer,
    env,
    folder: shared.folder,
    person: createPersonAt(balancer.url, firstApiKey(servers[0]!), shared.folder),
    sendTo: (chosen) => void (targets = chosen),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
