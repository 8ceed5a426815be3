/** Enters this server among those that share its database, and refuses to start where their settings do not fit together. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../../bus/bus.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../edges/log.ts';
import { leaseSeconds } from '../../gateway/devices/presence.ts';
import { supportsSchema, unsupportedSchemaText } from '../../store/engine/migrate.ts';
import { coalesce } from '../../store/engine/coalesce.ts';
import type {
  NodeEndpointRecord,
  NodeRecord,
  NodesAlive,
  NodesJoined,
} from '../../store/nodes/node-records.ts';
import type { SecretBox } from '../../store/secrets/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { keysMark } from '../secrets/secret-sealer.ts';
import { StartRefused } from '../start-refused.ts';
import { nodeIdIn } from './folder-marks.ts';
import { aliveSeconds, fixedPartsOf, misfitOf } from './node-fit.ts';
import { createFailureLog } from './failure-log.ts';
import { createStanding, type NodeStanding } from './node-standing.ts';
import { isOnBus, probeSubject, startProbes } from './probe-nodes.ts';

const renewEveryMs = 5_000;
/** After how long without a renewal a node was killed, if it cannot be asked. */
const overdueSeconds = 7;

const sameName =
  'Another server runs under the name of this one, which is in the file node-id of DRAWBRIDGE_DATA: one of the two data folders is a copy of the other. Remove node-id from the copy.';
const replaced =
  'Another server has entered itself under the name of this one, which is in the file node-id of DRAWBRIDGE_DATA: its data folder is a copy of this one, or it replaces this server, which seemed dead.';

/** The nodes of a deployment, as one of them knows them. */
export interface Nodes {
  /** The name of this node. */
  id: string;
  /** Undefined if no such node is alive. */
  find(id: string): Promise<NodeEndpointRecord | undefined>;
  /** The names of the other nodes that are alive. */
  others(): string[];
  /** How many of them answer on the bus. */
  reached(): number;
  /** The relay URLs of the other nodes, where these have their own. */
  relayUrls(): string[];
  /** Tells the others how to reach this node, from now on. */
  announce(endpoint: () => NodeEndpointRecord): Promise<void>;
  /** Tells the others at once that what was announced has changed. */
  refresh(): Promise<void>;
  /** Whether this node could store nothing for longer than the leases of its devices, while another node can. */
  isCutOff(): Promise<boolean>;
  leave(): Promise<void>;
}

interface NodeDeps {
  store: Store;
  bus: Bus;
  secrets: SecretBox;
  log: Log;
  /** By what devices recognise the certificate; it may change while the server runs. */
  trustedKey(): string;
  /** Called with the other nodes that are alive, at the start and regularly. */
  onOthers(others: readonly NodeRecord[]): Promise<void>;
  /** Called when this node must end, because it no longer fits the database or the other nodes. */
  onUnfit(error: Error): void;
}

/** The entry of this node as it is now. */
type Describe = () => NodeRecord;

/** Undefined for a server that is alone on its database: it has nothing to compare. */
export async function joinNodes(config: Config, deps: NodeDeps): Promise<Nodes | undefined> {
  const { store, secrets } = deps;
  if (store.isExclusive) return undefined;
  const describe = await openDescription(config, deps);
  const node = describe();
  const joined = await enter(deps, node);
  const problem = supportsSchema(joined)
    ? misfitOf(node, joined.others, secrets)
    : unsupportedSchemaText(joined);
  if (problem === undefined) {
    await deps.onOthers(joined.others);
    return keepAlive(deps, describe, joined.others);
  }
  await leaveNodes(store, node);
  throw new StartRefused(problem);
}

async function openDescription(config: Config, { secrets, trustedKey }: NodeDeps): Promise<Describe> {
  const id = await nodeIdIn(config.data);
  const fixed = { ...(await fixedPartsOf(config)), secrets: keysMark(secrets), start: randomUUID() };
  const hasBus = config.bus !== undefined;
  return () => ({ id, hasBus, shared: { ...fixed, trusted_key: trustedKey() } });
}

/** Refuses the start beside a server that has the same name. One that was killed just now is replaced. */
async function enter({ store, bus }: NodeDeps, node: NodeRecord): Promise<NodesJoined> {
  const join = (replaces?: number): Promise<NodesJoined> =>
    store.change('nodes/join', { ...node, aliveUntil: store.now() + aliveSeconds, replaces });
  const first = await join();
  if (first.takenUntil === undefined) return first;
  const renewedAt = first.takenUntil - aliveSeconds;
  const isThere = node.hasBus ? await isOnBus(bus, node.id) : undefined;
  if (isThere) throw new StartRefused(sameName);
  if (isThere === undefined) await sleep(Math.max(0, renewedAt + overdueSeconds - store.now()) * 1_000);
  const second = await join(first.takenUntil);
  if (second.takenUntil !== undefined) throw new StartRefused(sameName);
  return second;
}

const leaveNodes = async (store: Store, { id }: NodeRecord): Promise<void> =>
  void (await store.change('nodes/leave', { id }).catch(() => {}));

/** The hint that a node has arrived or is leaving: the others read the list again. */
const changedSubject = 'nodes.changed';

function keepAlive(deps: NodeDeps, describe: Describe, found: readonly NodeRecord[]): Nodes {
  const { store, bus } = deps;
  const { id } = describe();
  let endpointOf = (): NodeEndpointRecord | undefined => undefined;
  const renewal = startRenewal(deps, () => ({ ...describe(), endpoint: endpointOf() }), found);
  const { others, renew, renewQuietly, isCutOff } = renewal;
  const unsubscribe = bus.subscribe(changedSubject, (from) => void (from !== id && renewQuietly()));
  const tellChanged = (): void => bus.publish(changedSubject, id);
  const endpointNow = (of: string) => others().find((other) => other.id === of)?.endpoint;
  return {
    id,
    async find(wanted) {
      if (!endpointNow(wanted)) await renew(); // it may have started just now
      return endpointNow(wanted);
    },
    others: () => others().map((other) => other.id),
    reached: renewal.reached,
    relayUrls: () => others().flatMap(({ endpoint }) => endpoint?.relayUrl ?? []),
    async announce(endpoint) {
      endpointOf = () => ({ ...endpoint(), probe: probeSubject(id) });
      await renew();
      tellChanged();
    },
    refresh: () => renewQuietly().then(tellChanged),
    isCutOff,
    async leave() {
      unsubscribe();
      if (!(await renewal.stop())) return;
      await leaveNodes(store, describe());
      tellChanged();
    },
  };
}

/** Renews the entry of this node regularly, and with it the list of the others. */
function startRenewal(deps: NodeDeps, describe: Describe, found: readonly NodeRecord[]) {
  const { bus, log } = deps;
  const { id } = describe();
  const probes = startProbes(bus, id, { log, aliveSeconds });
  const monotonic = (): number => performance.now() / 1_000;
  const standing = createStanding(bus, id, { leaseSeconds, monotonic });
  const failures = createFailureLog(log, 'the entry of this server could not be renewed; trying again');
  let others = found;
  let [isStopped, hasEnded] = [false, false];
  // One at a time, however many tickets name a node that is not known.
  const renewOnce = coalesce(async (_all: 'all'): Promise<void> => {
    if (isStopped || hasEnded) return;
    const alive = await tellAlive(deps, describe(), standing);
    if (alive) others = alive.others;
    else hasEnded = true;
    void probes.ask(others);
  });
  const renew = (): Promise<void> => renewOnce('all');
  const renewQuietly = (): Promise<void> => renew().then(failures.onSuccess, failures.onFailure);
  const timer = setInterval(() => void renewQuietly(), renewEveryMs);
  return {
    others: () => others,
    renew,
    renewQuietly,
    reached: probes.reached,
    isCutOff: () => standing.isCutOff(others.map((other) => other.id)),
    /** Resolves to whether the node still has an entry of its own. */
    async stop(): Promise<boolean> {
      clearInterval(timer);
      probes.close();
      standing.close();
      isStopped = true;
      await renewQuietly(); // waits for one that has begun, which would enter the node again
      return !hasEnded;
    },
  };
}

/** Undefined if the node must end: its entry is taken, or it does not fit the database or a node that joined meanwhile. */
async function tellAlive(
  { store, secrets, onOthers, onUnfit }: NodeDeps,
  node: NodeRecord,
  { onStored, onFailed }: NodeStanding,
): Promise<NodesAlive | undefined> {
  const stored = store.change('nodes/alive', { ...node, aliveUntil: store.now() + aliveSeconds });
  stored.then(onStored, onFailed);
  const alive = await stored;
  // Only the node that was thought dead compares: the other one did when it joined.
  const misfit = alive.entry === 'removed' ? misfitOf(node, alive.others, secrets) : undefined;
  const problem =
    alive.entry === 'taken' ? replaced : supportsSchema(alive) ? misfit : unsupportedSchemaText(alive);
  if (problem === undefined) {
    await onOthers(alive.others);
    return alive;
  }
  if (alive.entry !== 'taken') await leaveNodes(store, node);
  onUnfit(new Error(problem));
  return undefined;
}
