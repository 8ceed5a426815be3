/** Three server processes behind haproxy on one PostgreSQL and one NATS. Gates can be put around the first. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestPerson } from '../../kit/server/account.ts';
import { freePort } from '../../kit/free-port.ts';
import { openGate, type Gate } from '../../kit/nodes/gate.ts';
import { startHaproxy, type Balancer } from '../../kit/nodes/haproxy.ts';
import { firstApiKey, startServerProcess, type ServerProcess } from '../../kit/process.ts';
import { openDatabaseFor } from '../../kit/server/database.ts';
import { startNats, type Nats } from '../../kit/server/nats.ts';
import { createPersonAt } from '../../kit/server/person-at.ts';
import { createSharedSettings, type SharedSettings } from '../../kit/server/shared-settings.ts';

interface FaultNode {
  process: ServerProcess;
  /** Starts it again at the same port, with the same data. */
  restart(): Promise<void>;
}

export interface FaultCluster extends AsyncDisposable {
  /** The address of the balancer. */
  url: string;
  certFile: string;
  nodes: readonly FaultNode[];
  nats: Nats;
  /** Everything that connects the first node to others, and only its connection to NATS. */
  gates: Pick<ClusterGates, 'all' | 'nats'> | undefined;
  owner: TestPerson;
  /** Requests to the API that failed, as the balancer says: sent to the first node, to others, or to none. */
  failures(): Record<'atFirst' | 'atOthers' | 'atNone', number>;
  /** How many devices are online at which node, as the database says. */
  presence(): Promise<Map<string, number>>;
  /** When the first and the last lease of a device ends, in seconds from now, by the clock of the database. */
  leaseEnds(): Promise<{ first: number; last: number }>;
}

const settings = {
  DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: '20000',
  DRAWBRIDGE_DRAIN_NOTICE_SECONDS: '3',
  DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1',
  DRAWBRIDGE_LOG_LEVEL: 'warn',
  NODE_OPTIONS: `--import ${join(import.meta.dirname, 'clock-shift.ts')}`,
};

const portOf = (url: string): number => Number(new URL(url).port);

function throughGate(url: string, gate: Gate): string {
  const changed = new URL(url);
  changed.port = String(gate.port);
  return changed.href;
}

async function startNode(
  env: Record<string, string>,
  port: number,
  cleanup: AsyncDisposableStack,
): Promise<FaultNode> {
  const start = (folder?: string): Promise<ServerProcess> =>
    startServerProcess(env, { port, ...(folder !== undefined && { folder }) });
  const node: FaultNode = {
    process: await start(),
    async restart() {
      node.process = await start(node.process.folder);
    },
  };
  cleanup.defer(async () => {
    await node.process.end('SIGKILL');
    rmSync(node.process.folder, { recursive: true, force: true });
  });
  return node;
}

interface ClusterGates {
  all: readonly Gate[];
  nats: Gate;
  /** What differs for the node behind them, and the port at which others reach it. */
  env: Record<string, string>;
  port: number;
}

/** Gates between a node and everything that it is connected with. */
async function openGates(
  env: Record<'DRAWBRIDGE_DATABASE' | 'DRAWBRIDGE_BUS', string>,
  nodePort: number,
  cleanup: AsyncDisposableStack,
): Promise<ClusterGates> {
  const open = async (target: number): Promise<Gate> => cleanup.use(await openGate(target));
  const [database, nats, incoming] = [
    await open(portOf(env.DRAWBRIDGE_DATABASE)),
    await open(portOf(env.DRAWBRIDGE_BUS)),
    await open(nodePort),
  ];
  return {
    all: [database, nats, incoming],
    nats,
    port: incoming.port,
    env: {
      DRAWBRIDGE_DATABASE: throughGate(env.DRAWBRIDGE_DATABASE, database),
      DRAWBRIDGE_BUS: throughGate(env.DRAWBRIDGE_BUS, nats),
      DRAWBRIDGE_NODE_ADDRESS: `127.0.0.1:${incoming.port}`,
    },
  };
}

async function queryPresence<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`select set_config('drawbridge.account', 'all', false)`);
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function countPresence(databaseUrl: string): Promise<Map<string, number>> {
  const text = `select node, count(*)::int as devices from presence
    where lease_until > extract(epoch from now()) group by node`;
  const rows = await queryPresence<{ node: string; devices: number }>(databaseUrl, text);
  return new Map(rows.map(({ node, devices }) => [node, devices]));
}

async function readLeaseEnds(databaseUrl: string): Promise<{ first: number; last: number }> {
  const left = 'lease_until - extract(epoch from now())';
  const text = `select min(${left})::float as first, max(${left})::float as last from presence`;
  return (await queryPresence<{ first: number; last: number }>(databaseUrl, text))[0]!;
}

const readPair = ({ folder }: SharedSettings) => ({
  cert: readFileSync(join(folder, 'tls/cert.pem'), 'utf8'),
  key: readFileSync(join(folder, 'tls/key.pem'), 'utf8'),
});

function countFailures({ requests }: Balancer, first: number): ReturnType<FaultCluster['failures']> {
  const failed = requests().filter(({ path, status }) => path.startsWith('/v1/') && status !== 200);
  const atFirst = failed.filter(({ port }) => port === first).length;
  const atNone = failed.filter(({ port }) => Number.isNaN(port)).length;
  return { atFirst, atOthers: failed.length - atFirst - atNone, atNone };
}

export interface ClusterOptions {
  /** The address of another database than one in the PostgreSQL of this run. */
  database?: string;
  /** Puts gates around the first node. A balancer connects to a gate even if the node behind it has ended. */
  gated?: boolean;
  /** By how much the clock of a node jumps when it receives SIGUSR2. */
  clockJumpMs?: number;
}

async function openDatabase(given: string | undefined, cleanup: AsyncDisposableStack): Promise<string> {
  if (given !== undefined) return given;
  const database = await openDatabaseFor('postgres');
  cleanup.defer(() => database.drop());
  return database.env['DRAWBRIDGE_DATABASE']!;
}

export async function startFaultCluster(options: ClusterOptions = {}): Promise<FaultCluster> {
  await using cleanup = new AsyncDisposableStack();
  const nats = cleanup.use(await startNats());
  const databaseUrl = await openDatabase(options.database, cleanup);
  const shared = cleanup.use(await createSharedSettings());
  const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const url = `https://localhost:${port}`;
  const own = { DRAWBRIDGE_DATABASE: databaseUrl, DRAWBRIDGE_BUS: nats.url, DRAWBRIDGE_PUBLIC_URL: url };
  const env = { ...settings, TEST_CLOCK_JUMP_MS: String(options.clockJumpMs ?? 0), ...shared.env, ...own };
  const gates = options.gated ? await openGates(own, ports[0], cleanup) : undefined;
  const nodes = [await startNode({ ...env, ...gates?.env }, ports[0], cleanup)];
  for (const each of ports.slice(1)) nodes.push(await startNode(env, each, cleanup));
  const servers = [gates?.port ?? ports[0], ...ports.slice(1)];
  const balancer = cleanup.use(await startHaproxy({ port, servers, certificate: readPair(shared) }));
  const rest = cleanup.move();
  return {
    url,
    certFile: join(shared.folder, 'tls/cert.pem'),
    nodes,
    nats,
    gates,
    owner: createPersonAt(url, firstApiKey(nodes[0]!.process), shared.folder),
    failures: () => countFailures(balancer, servers[0]!),
    presence: () => countPresence(databaseUrl),
    leaseEnds: () => readLeaseEnds(databaseUrl),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
