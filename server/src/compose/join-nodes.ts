/** Enters this server among those that share its database, and refuses to start where their settings do not fit together. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../edges/log.ts';
import { chownToFolderOwner } from '../store/blobs/durable-files.ts';
import { supportsSchema, unsupportedSchemaText } from '../store/engine/migrate.ts';
import { coalesce } from '../store/engine/coalesce.ts';
import type { NodeEndpointRecord, NodeRecord } from '../store/nodes/node-records.ts';
import type { SecretBox } from '../store/secrets/secret-box.ts';
import type { Store } from '../store/store.ts';
import { probeSubject, startProbes } from './probe-nodes.ts';
import { StartRefused } from './start-refused.ts';
import { keysMark, lacksKeyOf } from './secrets/secret-sealer.ts';

/** What must be equal on all servers, and what an administrator does about it. */
const sharedParts = {
  certificate:
    'The certificate of this server differs from that of the other servers on the database. Give all of them the same DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY.',
  storage:
    'DRAWBRIDGE_OBJECT_STORAGE differs from that of the other servers on the database. Give all of them the same bucket and prefix, or all of them folders.',
  files:
    'DRAWBRIDGE_FILES is not the folder that the other servers on the database use. All of them need the same shared folder.',
  recordings:
    'DRAWBRIDGE_RECORDINGS is not the folder that the other servers on the database use. All of them need the same shared folder.',
} as const;

const lacksKey =
  'DRAWBRIDGE_SECRETS_KEY_FILE lacks the key with which the other servers on the database seal secrets. Give all of them the same file.';

const aliveSeconds = 20;
const renewEveryMs = 5_000;

/** The nodes of a deployment, as one of them knows them. */
export interface Nodes {
  /** The name of this node. */
  id: string;
  /** Undefined if no such node is alive. */
  find(id: string): Promise<NodeEndpointRecord | undefined>;
  /** The names of the other nodes that are alive. */
  others(): string[];
  /** The relay URLs of the other nodes, where these have their own. */
  relayUrls(): string[];
  /** Tells the others how to reach this node, from now on. */
  announce(endpoint: () => NodeEndpointRecord): Promise<void>;
  leave(): Promise<void>;
}

interface NodeDeps {
  store: Store;
  bus: Bus;
  secrets: SecretBox;
  log: Log;
  /** Called with the other nodes that are alive, at the start and regularly. */
  onOthers(others: readonly NodeRecord[]): Promise<void>;
  /** Called when a newer server has removed from the database what this one needs, because it seemed dead. */
  onOutdated(error: Error): void;
}

/** Undefined for a server that is alone on its database: it has nothing to compare. */
export async function joinNodes(
  store: Store,
  config: Config,
  certificate: string,
  deps: Omit<NodeDeps, 'store'>,
): Promise<Nodes | undefined> {
  if (store.isExclusive) return undefined;
  const node: NodeRecord = {
    id: await readOrCreate(config.data, 'node-id', randomUUID),
    hasBus: config.bus !== undefined,
    shared: { certificate, secrets: keysMark(deps.secrets), ...(await marksOf(config)) },
  };
  const joined = await store.change('nodes/join', { ...node, aliveUntil: store.now() + aliveSeconds });
  const problem = supportsSchema(joined)
    ? problemOf(node, joined.others, deps.secrets)
    : unsupportedSchemaText(joined);
  if (problem === undefined) {
    await deps.onOthers(joined.others);
    return keepAlive({ store, ...deps }, node, joined.others);
  }
  await leaveNodes(store, node);
  throw new StartRefused(problem);
}

const leaveNodes = async (store: Store, { id }: NodeRecord): Promise<void> =>
  void (await store.change('nodes/leave', { id }).catch(() => {}));

/** The hint that a node has arrived or is leaving: the others read the list again. */
const changedSubject = 'nodes.changed';

function keepAlive(deps: NodeDeps, node: NodeRecord, found: readonly NodeRecord[]): Nodes {
  const { store, bus, log } = deps;
  const probes = startProbes(bus, node.id, { log, aliveSeconds });
  let others = found;
  let endpointOf = (): NodeEndpointRecord | undefined => undefined;
  let isLeaving = false;
  // One at a time, however many tickets name a node that is not known.
  const renew = coalesce(async (_entry: NodeRecord): Promise<void> => {
    if (isLeaving) return;
    others = await tellAlive(deps, { ...node, endpoint: endpointOf() });
    void probes.ask(others);
  });
  const renewQuietly = (): Promise<void> => renew(node).catch(() => {});
  const timer = setInterval(() => void renewQuietly(), renewEveryMs);
  const unsubscribe = bus.subscribe(changedSubject, (id) => void (id !== node.id && renewQuietly()));
  const endpointNow = (id: string) => others.find((other) => other.id === id)?.endpoint;
  return {
    id: node.id,
    async find(id) {
      if (!endpointNow(id)) await renew(node); // it may have started just now
      return endpointNow(id);
    },
    others: () => others.map(({ id }) => id),
    relayUrls: () => others.flatMap(({ endpoint }) => endpoint?.relayUrl ?? []),
    async announce(endpoint) {
      endpointOf = () => ({ ...endpoint(), probe: probeSubject(node.id) });
      await renew(node);
      bus.publish(changedSubject, node.id);
    },
    async leave() {
      clearInterval(timer);
      unsubscribe();
      probes.close();
      isLeaving = true;
      await renewQuietly(); // waits for one that has begun, which would enter the node again
      await leaveNodes(store, node);
      bus.publish(changedSubject, node.id);
    },
  };
}

/** Returns the other nodes that are alive. */
async function tellAlive(
  { store, onOthers, onOutdated }: NodeDeps,
  node: NodeRecord,
): Promise<readonly NodeRecord[]> {
  const alive = await store.change('nodes/alive', { ...node, aliveUntil: store.now() + aliveSeconds });
  if (!supportsSchema(alive)) onOutdated(new Error(unsupportedSchemaText(alive)));
  await onOthers(alive.others);
  return alive.others;
}

function problemOf(node: NodeRecord, others: readonly NodeRecord[], secrets: SecretBox): string | undefined {
  if (others.length === 0) return undefined;
  if (!node.hasBus)
    return `Another server runs on this database. Several servers need DRAWBRIDGE_BUS, the same on all of them. If the other server was killed just now, wait ${aliveSeconds} seconds.`;
  if (others.some(({ hasBus }) => !hasBus))
    return 'Another server on this database runs without DRAWBRIDGE_BUS. Set it there, and restart that server first.';
  for (const [part, problem] of Object.entries(sharedParts))
    if (others.some(({ shared }) => shared[part] !== undefined && shared[part] !== node.shared[part]))
      return problem;
  return others.some((other) => lacksKeyOf(secrets, other)) ? lacksKey : undefined;
}

/** Servers with the same marks store files and recordings in the same places. */
async function marksOf({ objectStorage, files, recordings }: Config): Promise<Record<string, string>> {
  if (!objectStorage)
    return { storage: 'folders', files: await markOf(files), recordings: await markOf(recordings) };
  const { endpoint, bucket, prefix } = objectStorage;
  return { storage: `${endpoint}/${bucket}/${prefix}` };
}

/** Servers whose folder has the same mark use the same folder. */
const markOf = (folder: string): Promise<string> =>
  readOrCreate(folder, 'mark', () => randomBytes(16).toString('hex'));

async function readOrCreate(folder: string, name: string, create: () => string): Promise<string> {
  const file = join(folder, name);
  if (await mkdir(folder, { recursive: true, mode: 0o700 })) chownToFolderOwner(folder);
  try {
    await writeFile(file, create(), { flag: 'wx', mode: 0o600 });
    chownToFolderOwner(file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
