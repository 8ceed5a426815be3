/** Three servers on one PostgreSQL and one NATS behind haproxy, which tests use as if they were one server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from '@drawbridge/server/compose/server';
import { freePort } from '../free-port.ts';
import { startNats } from '../server/nats.ts';
import { createSharedSettings } from '../server/shared-settings.ts';
import { startHaproxy } from './haproxy.ts';

/** What all nodes have in common. It stays when they are restarted. */
export interface NodeGroup extends AsyncDisposable {
  env: Record<string, string>;
  /** Starts the nodes with `startNode` and the balancer in front of them. */
  start(
    startNode: (number: number, env: Record<string, string>) => Promise<RunningServer>,
  ): Promise<RunningServer>;
}

const count = 3;

/** `folder` holds what the nodes share, where one server would have it; `given` are settings that a test chose. */
export async function createNodeGroup(folder: string, given: Record<string, string>): Promise<NodeGroup> {
  await using cleanup = new AsyncDisposableStack();
  const nats = cleanup.use(await startNats());
  const shared = cleanup.use(await createSharedSettings());
  const [, chosen] = /:(\d+)$/.exec(given['DRAWBRIDGE_LISTEN'] ?? '') ?? [];
  const port = chosen === undefined ? await freePort() : Number(chosen);
  const env = {
    ...shared.env,
    DRAWBRIDGE_FILES: join(folder, 'files'),
    DRAWBRIDGE_RECORDINGS: join(folder, 'recordings'),
    DRAWBRIDGE_BUS: nats.url,
    DRAWBRIDGE_PUBLIC_URL: `https://localhost:${port}`,
    DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1',
    // Several test files run at the same time, and PostgreSQL has a limited number of connections.
    DRAWBRIDGE_DATABASE_POOL: '4',
  };
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) =>
    readFileSync(join(shared.folder, 'tls', name), 'utf8'),
  ) as [string, string];
  const rest = cleanup.move();
  return {
    env,
    async start(startNode) {
      const nodes: RunningServer[] = [];
      while (nodes.length < count) nodes.push(await startNode(nodes.length, env));
      const servers = nodes.map(({ config }) => config.listen.port);
      const balancer = await startHaproxy({ port, servers, certificate: { cert, key }, unchecked: true });
      return behindBalancer(nodes, port, balancer);
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** The first node, at the balancer's port. Closing it closes all. */
function behindBalancer(
  nodes: readonly RunningServer[],
  port: number,
  balancer: AsyncDisposable,
): RunningServer {
  const [first] = nodes as [RunningServer];
  return {
    ...first,
    config: { ...first.config, listen: { ...first.config.listen, port } },
    async close(graceMs) {
      await balancer[Symbol.asyncDispose]();
      await Promise.all(nodes.map((node) => node.close(graceMs)));
    },
  };
}
