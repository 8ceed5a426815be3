/** Composes the server from its settings and opens its port. */
import { randomUUID } from 'node:crypto';
import type { Bus } from '../bus/bus.ts';
import { newAccount, type NewAccount } from './create-account.ts';
import { createApp } from './create-app.ts';
import { random } from '../edges/random.ts';
import { certificateSource, withBoundPort, type Config } from '../config/config.ts';
import { openBlobStores, type BlobStores } from './blob-stores.ts';
import { openMetricsListener } from '../http/connection/metrics-listener.ts';
import { createKeyUses, type KeyUses } from '../jobs/key-uses.ts';
import { recover } from '../jobs/housekeeping.ts';
import type { Notifier } from '../jobs/notifications/notifier.ts';
import { createCloseStack, type CloseStack } from './close-stack.ts';
import { createServerNotifier } from './background/notifying.ts';
import { startBackground } from './background/start-background.ts';
import { joinNodes, type Nodes } from './nodes/join-nodes.ts';
import { openReleases, type Releases } from './releases.ts';
import { openSharedLimits } from './shared-connections.ts';
import { findNodeAddress } from './nodes/node-address.ts';
import { openLocations } from '../edges/location.ts';
import type { Log } from '../edges/log.ts';
import { createMetrics, type Metrics } from '../edges/metrics.ts';
import type { Tracer } from '../edges/telemetry/tracer.ts';
import { openBus } from './open-bus.ts';
import { createPanelEvents, type PanelEvents } from '../panel/live/events.ts';
import { createMailSenders } from './mail-senders.ts';
import { openSocketDeps, openServerListener, openGateway } from './listeners.ts';
import { composeSessions } from './compose-sessions.ts';
import { createChallenges, type Challenges } from '../tls/acme/challenges.ts';
import { followCertificate, openCertificate, renewalFailureOf, type LiveState } from './certificates.ts';
import { listenOrRefuse, StartRefused } from './start-refused.ts';
import { createSecretSealer, openSecretBox, reportRemnants } from './secrets/secret-sealer.ts';
import { startTelemetry, traceBus, traceCommands } from './telemetry.ts';
import { stopServer } from './stop-server.ts';
import { watchCutOff } from './nodes/watch-cut-off.ts';
import { lockFolder } from '../store/engine/lock.ts';
import { openStore } from '../store/engine/open.ts';
import type { SecretBox } from '../store/secrets/secret-box.ts';
import type { Store } from '../store/store.ts';
import type { ServerCertificate } from '../tls/certificate.ts';
import { presentedCertificate } from '../tls/presented-certificate.ts';
import { fingerprintOf } from '../tls/pins.ts';
import { serverVersion } from '../edges/version.ts';

export interface RunningServer {
  /** The settings with the actual port. */
  config: Config;
  store: Store;
  bus: Bus;
  certificate: ServerCertificate;
  notifier: Notifier;
  /** The first account, if this start created it. */
  first: NewAccount | undefined;
  /** Resolves when the server must end: nothing can be stored any more, or it does not fit the other servers. */
  broken: Promise<Error>;
  /** Lets running requests finish, then closes everything. */
  close(graceMs: number): Promise<void>;
}

export async function startServer(config: Config, log: Log, clock?: () => number): Promise<RunningServer> {
  const lock = lockFolder(config.data);
  if (!lock)
    throw new StartRefused(`Another Drawbridge server is already running on the data folder ${config.data}.`);
  const closing = createCloseStack(() => lock.release());
  const metrics = createMetrics({ version: serverVersion, roles: config.roles });
  const tracer = startTelemetry(config, { metrics, log, closing });
  try {
    return await openAll({ given: config, log, clock, closing, metrics, tracer });
  } catch (error) {
    await closing.closeAll();
    throw error;
  }
}

interface Startup {
  given: Config;
  log: Log;
  clock: (() => number) | undefined;
  closing: CloseStack;
  metrics: Metrics;
  tracer: Tracer | undefined;
}

async function openAll(startup: Startup): Promise<RunningServer> {
  const { given, log, closing } = startup;
  const storage = await openStorage(startup);
  const { store, bus, events, broken } = storage;
  await recover(store);

  const certificate = await openCertificate(given);
  const challenges = given.acme && createChallenges();
  const keyUses = createKeyUses(store);
  const live: LiveState = { config: given, certificate };
  const blobStores = await openBlobStores(given, store);
  const releases = await openReleases(given.downloads, blobStores.agentFiles);
  const opened = { ...storage, ...blobStores, releases, keyUses, live, challenges };
  const endpoints = await openEndpoints(startup, opened);
  const { listener, shareLimiter: share } = endpoints;
  live.config = withBoundPort(given, listener.address.port);
  endpoints.sessions.connectRelays();
  const config = live.config;
  const notifier = createServerNotifier(store, () => live.config, { share, log });
  const background = { store, bus, keyUses, blobStores, releases, notifier, share, log };
  closing.push(...startBackground({ ...background, config: () => live.config }));
  await followChanges(startup, endpoints, opened);
  await openMetrics(startup);

  let closed: Promise<void> | undefined;
  return {
    config,
    store,
    bus,
    certificate,
    notifier,
    first: await createFirstAccount(store, config),
    broken,
    close: (graceMs) => (closed ??= stopServer({ ...endpoints, events, closing, config }, graceMs)),
  };
}

/** Follows the certificate, what the metrics show, and whether the database is out of reach for this server alone. */
async function followChanges(
  { log, closing, metrics }: Startup,
  endpoints: Awaited<ReturnType<typeof openEndpoints>>,
  { live, events, challenges }: Pick<EndpointDeps, 'live' | 'events' | 'challenges'>,
): Promise<void> {
  const { listener, nodes, gateway, sessions } = endpoints;
  metrics.follow({
    devices: gateway.online,
    sessions: sessions.count,
    servers: nodes && { alive: () => nodes.others().length, reached: nodes.reached },
  });
  const reports = {
    setCertificate: listener.setCertificate,
    onPresented: () => void nodes?.refresh(),
    onAttempt: () => events.publishHere([{ topic: 'server' }]),
  };
  await followCertificate({ live, ...reports, challenges, metrics, log, closing });
  if (nodes) closing.push(watchCutOff({ ...endpoints, nodes, log }));
}

interface Storage {
  /** The store that also publishes its changes to open panels. */
  store: Store;
  secrets: SecretBox;
  bus: Bus;
  events: PanelEvents;
  /** Resolves when the server must end: nothing can be stored any more, or it does not fit the other servers. */
  broken: Promise<Error>;
  /** Resolves `broken`. */
  onUnfit(error: Error): void;
}

async function openStorage({ given, log, clock, closing, metrics, tracer }: Startup): Promise<Storage> {
  const { database: url, data: folder, databasePool: poolSize } = given;
  const broken = Promise.withResolvers<Error>();
  const onRemnants = reportRemnants(log);
  const onMigrationWait = (holder: string): void =>
    log.warn({ holder }, 'waiting for another program that migrates the database');
  const onCommit = metrics.observeCommit;
  const listeners = { onCommit, onBroken: broken.resolve, onRemnants, onMigrationWait };
  const secrets = openSecretBox(given);
  const rawStore = await openStore({ url, folder, poolSize, clock, contracts: true, secrets, ...listeners });
  closing.push(() => rawStore.close());
  const rawBus = await openBus(given.bus, rawStore, log, metrics.setBus);
  closing.push(() => rawBus.close());
  const bus = tracer ? traceBus(rawBus, tracer) : rawBus;
  const events = createPanelEvents({ store: rawStore, bus, log, node: randomUUID() });
  closing.push(() => events.close());
  return { store: events.store, secrets, bus, events, broken: broken.promise, onUnfit: broken.resolve };
}

interface EndpointDeps extends Storage, BlobStores {
  releases: Releases;
  keyUses: KeyUses;
  live: LiveState;
  challenges: Challenges | undefined;
}

/** Opens what clients and devices connect to: the gateway, the sessions and, last, the port. */
async function openEndpoints({ given, log, closing, metrics, tracer }: Startup, opened: EndpointDeps) {
  const { store, bus, events, blobs, recordings, pictures, releases, keyUses, live, challenges } = opened;
  const lifecycle = { draining: false };
  const presented = presentedCertificate(certificateSource(given), () => live.certificate.cert);
  const onOthers = createSecretSealer({ ...opened, log });
  const nodes = await joinNodes(given, { ...opened, log, trustedKey: presented.trustedKey, onOthers });
  if (!nodes) await onOthers([]);
  closing.push(async () => nodes?.leave());
  const limits = openSharedLimits(bus, nodes, given.connectionsPerAddress);
  closing.push(() => limits.close());
  const deps = {
    ...limits,
    config: () => live.config,
    store,
    bus,
    blobs,
    recordings,
    pictures,
    releases,
    certificate: presented.fingerprint,
    isDraining: () => lifecycle.draining,
    ...createMailSenders(given.mail, limits.shareLimiter, log),
  };
  const locations = openLocations(given.locationDatabase);
  closing.push(() => locations.close());
  const socketDeps = await openSocketDeps(deps, locations, log);
  const traceCommand = tracer && traceCommands(tracer);
  const gateway = openGateway({ ...deps, ...socketDeps, certificate: presented.attested, traceCommand });
  closing.push(() => gateway.close());
  const sessions = composeSessions({ ...deps, ...socketDeps, nodes, metrics });
  closing.push(() => sessions.close());
  const pinned = { keyPin: presented.keyPin, renewalFailure: () => renewalFailureOf(live) };
  const used = { keyUses, metrics, tracer, log, lifecycle, sessions, events, rangeOf: socketDeps.rangeOf };
  const onRequest = createApp({ ...deps, ...pinned, ...used });
  const served = { ...limits, onRequest, gateway, sessions, log, challenges };
  const listener = await openServerListener(given, live.certificate, served);
  closing.push(() => listener.close(0));
  await announceNode(nodes, withBoundPort(given, listener.address.port), live);
  return { listener, gateway, sessions, nodes, lifecycle, shareLimiter: limits.shareLimiter };
}

async function announceNode(nodes: Nodes | undefined, config: Config, live: LiveState): Promise<void> {
  const { relayUrl } = config;
  const address = await findNodeAddress(config);
  await nodes?.announce(() => ({ address, certificate: fingerprintOf(live.certificate.cert), relayUrl }));
}

async function openMetrics({ given, closing, metrics: { text } }: Startup): Promise<void> {
  if (!given.metricsListen) return;
  const endpoint = { ...given.metricsListen, text };
  const opened = await listenOrRefuse('metrics_listen', endpoint, openMetricsListener);
  closing.push(() => opened.close());
}

async function createFirstAccount(store: Store, config: Config): Promise<NewAccount | undefined> {
  const account = newAccount(random, config.ownerEmail, config.publicUrl, store.now());
  const { created } = await store.change('accounts/first', account.input);
  return created ? account : undefined;
}
