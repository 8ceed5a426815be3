/** The service in one process: builds the program from its settings and opens its port. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Bus } from './bus/bus.ts';
import { newAccount, type NewAccount } from './accounts.ts';
import { answers } from './answers.ts';
import { random } from './random.ts';
import { shownAt, withBoundPort, type Config } from './config.ts';
import { openBlobStores, startSweeping } from './files.ts';
import type { PortListener } from './http/listener.ts';
import { openMetricsListener } from './http/metrics-listener.ts';
import { createKeyUses, type KeyUses } from './jobs/key-uses.ts';
import { recover, tidyUp } from './jobs/housekeeping.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { openBus } from './open-bus.ts';
import { createPanelEvents } from './panel/events.ts';
import { emailsBy } from './panel/mail.ts';
import { openCommon, openDoor, openGateway } from './ports.ts';
import { openSessionRooms } from './session-rooms.ts';
import { listeningOn, StartRefused } from './start-refused.ts';
import { chownToFolderOwner } from './store/durable-files.ts';
import { lockFolder } from './store/lock.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import { loadOrCreateCertificate, type ServerCertificate } from './tls/certificate.ts';
import { readCertificate } from './tls/given-certificate.ts';
import { shownCertificate } from './tls/shown.ts';
import { watchCertificate } from './tls/watch-certificate.ts';
import { version } from './version.ts';

export interface RunningServer {
  /** The settings, with the port that was really bound. */
  config: Config;
  store: Store;
  bus: Bus;
  certificate: ServerCertificate;
  /** The first account, when this start made it. */
  first: NewAccount | undefined;
  /** Resolves when nothing can be stored any more. */
  broken: Promise<Error>;
  /** Lets running requests finish, then closes everything. */
  close(graceMs: number): Promise<void>;
}

/** What is known only once the port is open, or changes while the server runs. */
interface Late {
  config: Config;
  certificate: ServerCertificate;
}

const tidyEveryMs = 30_000;

export async function startServer(config: Config, log: Log, clock?: () => number): Promise<RunningServer> {
  const lock = lockFolder(config.data);
  if (!lock)
    throw new StartRefused(`Another Drawbridge server is already running on the data folder ${config.data}.`);
  const opened = createOpened(() => lock.release());
  try {
    return await open(config, log, clock, opened);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

type Close = () => Promise<void> | void;

/** What has been opened so far; it is closed in the opposite order. */
function createOpened(...closing: Close[]) {
  return {
    push: (...more: Close[]): void => void closing.push(...more),
    async closeAll() {
      for (const close of closing.toReversed()) await close();
    },
  };
}

async function open(
  given: Config,
  log: Log,
  clock: (() => number) | undefined,
  closing: ReturnType<typeof createOpened>,
): Promise<RunningServer> {
  const metrics = createMetrics({ version });
  const { database: url, data: folder, databasePool: poolSize } = given;
  const broken = Promise.withResolvers<Error>();
  const listeners = { onCommit: metrics.observeCommit, onBroken: broken.resolve };
  const kept = await openStore({ url, folder, poolSize, clock, ...listeners });
  closing.push(() => kept.close());
  const bus = await openBus(given.bus, log);
  closing.push(() => bus.close());
  const events = createPanelEvents({ store: kept, bus, log, node: randomUUID() });
  closing.push(() => events.close());
  const { store } = events;
  await recover(store);

  const certificate = given.tls ? await readCertificate(given.tls) : await ownCertificate(given);
  const keyUses = createKeyUses(store);
  const life = { draining: false };
  const late: Late = { config: given, certificate };
  const shown = shownCertificate(shownAt(given), () => late.certificate.cert);
  const blobStores = await openBlobStores(given, store);
  const sharedDeps = { ...blobStores, certificate: shown.fingerprint, mail: emailsBy(given.mail, log) };
  const deps = { config: () => late.config, store, bus, ...sharedDeps };
  const common = await openCommon(deps, log);
  const gateway = openGateway({ ...deps, ...common, certificate: shown.vouched });
  closing.push(() => gateway.close());
  const rooms = openSessionRooms({ ...deps, ...common });
  closing.push(() => rooms.close());
  const onRequest = await answers({
    ...deps,
    keyPin: shown.keyPin,
    keyUses,
    metrics,
    log,
    life,
    rooms,
    events,
  });
  const listener = await openDoor(given, certificate, { onRequest, gateway, rooms, log });
  closing.push(() => listener.close(0));
  late.config = withBoundPort(given, listener.address.port);
  const config = late.config;
  closing.push(startJobs(store, keyUses, config, log), watchFiles(late, listener, log));
  closing.push(startSweeping(store, blobStores, config.recordingDays, log));
  if (config.metricsListen) {
    const { text } = metrics;
    const opened = await listeningOn(
      'metrics_listen',
      { ...config.metricsListen, text },
      openMetricsListener,
    );
    closing.push(() => opened.close());
  }
  const close = async (graceMs: number): Promise<void> => {
    life.draining = true;
    const quiet = listener.close(graceMs);
    events.close();
    await Promise.all([gateway.close(), rooms.close()]);
    await quiet;
    await closing.closeAll();
  };
  let closed: Promise<void> | undefined;
  return {
    config,
    store,
    bus,
    certificate,
    first: await createFirstAccount(store, config),
    broken: broken.promise,
    close: (graceMs) => (closed ??= close(graceMs)),
  };
}

/** The names a self-signed certificate is made for beside the machine's own. */
const certificateNames = (config: Config): string[] => [
  hostname(),
  new URL(config.publicUrl).hostname,
  config.listen.host,
];

async function ownCertificate(config: Config): Promise<ServerCertificate> {
  const folder = join(config.data, 'tls');
  const certificate = await loadOrCreateCertificate(folder, certificateNames(config));
  const { created, certFile, keyFile } = certificate;
  if (created) for (const made of [folder, certFile, keyFile]) chownToFolderOwner(made);
  return certificate;
}

async function createFirstAccount(store: Store, config: Config): Promise<NewAccount | undefined> {
  const account = newAccount(random, config.ownerEmail, config.publicUrl, store.now());
  const { created } = await store.change('accounts/first', account.input);
  return created ? account : undefined;
}

function startJobs(store: Store, keyUses: KeyUses, config: Config, log: Log): () => Promise<void> {
  const round = (): Promise<void> =>
    Promise.all([tidyUp(store, config.invitationDays * 86_400), keyUses.write()])
      .then(() => undefined)
      .catch((error: unknown) => log.warn({ err: error }, 'cleaning up failed; trying again later'));
  const timer = setInterval(() => void round(), tidyEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await keyUses.write().catch(() => {});
  };
}

function watchFiles(late: Late, listener: PortListener, log: Log): () => void {
  const watch = watchCertificate(late.certificate.certFile, late.certificate.keyFile, {
    onChange: ({ cert, key }) => {
      listener.setCertificate(cert, key);
      late.certificate = { ...late.certificate, cert, key };
      log.info('the certificate was reloaded');
    },
    onError: (error) =>
      log.error({ error: error.message }, 'the new certificate cannot be used; the old one stays in use'),
  });
  return () => watch.close();
}
