/** The service in one process: builds the house from its settings and opens its door. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { memoryBus } from './bus/memory.ts';
import { natsBus, type OnLine } from './bus/nats.ts';
import type { Bus } from './bus/bus.ts';
import { noteRequest } from './access-log.ts';
import { newAccount, type NewAccount } from './accounts.ts';
import { chance } from './chance.ts';
import { shownAt, withBoundPort, type Config } from './config.ts';
import { downloadDoors } from './doors/downloads.ts';
import { onetimeDoors } from './doors/onetime.ts';
import { operatorDoors } from './doors/operator.ts';
import { permanentDoors } from './doors/permanent.ts';
import { previewDoors } from './doors/preview.ts';
import { openShelves, startSweeping } from './files.ts';
import { createHouse, type HouseParts } from './house.ts';
import { docsPages } from './http/docs.ts';
import type { Listener } from './http/listener.ts';
import { openMetrics } from './http/metrics-listener.ts';
import { frontPages } from './http/pages.ts';
import { serve } from './http/serve.ts';
import { createKeyUses, type KeyUses } from './jobs/key-uses.ts';
import { recover, tidyUp } from './jobs/housekeeping.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { burnPassword, verifyPassword } from './passwords.ts';
import { networks, openCommon, openDoor, openGateway } from './ports.ts';
import { openSessionRooms, type SessionRooms } from './session-rooms.ts';
import { listeningOn, StartRefused } from './start-refused.ts';
import { giveToOwnerOfFolder } from './store/durable.ts';
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
  const store = await openStore({ url, folder, poolSize, clock, ...listeners });
  closing.push(() => store.close());
  const bus = given.bus === undefined ? memoryBus() : await natsBus(given.bus, sayLine(log));
  closing.push(() => bus.close());
  await recover(store);

  const certificate = given.tls ? await readCertificate(given.tls) : await ownCertificate(given);
  const keyUses = createKeyUses(store);
  const life = { draining: false };
  const late: Late = { config: given, certificate };
  const shown = shownCertificate(shownAt(given), () => late.certificate.cert);
  const shelves = await openShelves(given, store);
  const parts = { config: () => late.config, store, bus, ...shelves, certificate: shown.fingerprint };
  const common = await openCommon(parts, log);
  const gateway = openGateway({ ...parts, ...common, certificate: shown.vouched });
  closing.push(() => gateway.close());
  const rooms = openSessionRooms({ ...parts, ...common });
  closing.push(() => rooms.close());
  const onRequest = await answers({ ...parts, keyPin: shown.keyPin, keyUses, metrics, log, life, rooms });
  const listener = await openDoor(given, certificate, { onRequest, gateway, rooms, log });
  closing.push(() => listener.close(0));
  late.config = withBoundPort(given, listener.address.port);
  const config = late.config;
  closing.push(startJobs(store, keyUses, config, log), watchFiles(late, listener, log));
  closing.push(startSweeping(store, shelves, config.recordingDays, log));
  if (config.metricsListen) {
    const { text } = metrics;
    const opened = await listeningOn('metrics_listen', { ...config.metricsListen, text }, openMetrics);
    closing.push(() => opened.close());
  }
  const close = async (graceMs: number): Promise<void> => {
    life.draining = true;
    const quiet = listener.close(graceMs);
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

const sayLine =
  (log: Log): OnLine =>
  (state, reason) =>
    state === 'up'
      ? log.info({ reason }, 'the bus stands: devices at other servers can be reached')
      : log.error({ reason }, 'the bus is down: devices at other servers can not be reached; it is tried on');

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
  if (created) for (const made of [folder, certFile, keyFile]) giveToOwnerOfFolder(made);
  return certificate;
}

async function createFirstAccount(store: Store, config: Config): Promise<NewAccount | undefined> {
  const account = newAccount(chance, config.ownerEmail, config.publicUrl, store.now());
  const { created } = await store.change('accounts/first', account.input);
  return created ? account : undefined;
}

/** The listener of all requests, with the house behind it. */
async function answers(
  parts: HouseParts & {
    keyPin(): string;
    keyUses: KeyUses;
    metrics: Metrics;
    log: Log;
    life: { draining: boolean };
    rooms: SessionRooms;
  },
) {
  const { store, keyPin, keyUses, metrics, log, life, rooms } = parts;
  const config = parts.config();
  const house = createHouse(parts);
  const ready = async (): Promise<boolean> => !life.draining && (await isAnswering(store));
  return serve({
    house,
    store,
    trustedProxies: networks(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    legacyApi: config.legacyApi,
    pages: new Map([...frontPages({ ready }), ...docsPages()]),
    doors: [
      ...downloadDoors({
        folder: config.downloads,
        place: () => ({ publicUrl: house.publicUrl, keyPin: keyPin() }),
      }),
      ...permanentDoors(house, store, { verifyPassword, burnPassword }),
      ...onetimeDoors(house, store),
      ...operatorDoors(house, store),
      ...previewDoors(house, rooms.clientPicture),
      ...rooms.doors,
    ],
    onKeyUsed: keyUses.note,
    onBug: (operation, error) => log.error({ operation, err: error }, 'a request failed'),
    onAnswer: (answered) => noteRequest(answered, log, metrics),
  });
}

const isAnswering = (store: Store): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  );

function startJobs(store: Store, keyUses: KeyUses, config: Config, log: Log): () => Promise<void> {
  const round = (): Promise<void> =>
    Promise.all([tidyUp(store, config.invitationDays * 86_400), keyUses.write()])
      .then(() => undefined)
      .catch((error: unknown) => log.warn({ err: error }, 'tidying up failed; it is tried again'));
  const timer = setInterval(() => void round(), tidyEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await keyUses.write().catch(() => {});
  };
}

function watchFiles(late: Late, listener: Listener, log: Log): () => void {
  const watch = watchCertificate(late.certificate.certFile, late.certificate.keyFile, {
    onChange: ({ cert, key }) => {
      listener.setCertificate(cert, key);
      late.certificate = { ...late.certificate, cert, key };
      log.info('the certificate was read anew');
    },
    onError: (error) =>
      log.error({ error: error.message }, 'the new certificate can not be used; the old one stays'),
  });
  return () => watch.close();
}
