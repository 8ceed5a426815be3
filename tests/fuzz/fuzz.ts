/**
 * The fuzz: sends generated requests to a service for as long as requested, and returns everything that was
 * wrong.
 */
import { buildWeb } from '../../scripts/build-web.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { sendAsDevice } from './device-messages.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { makePageRequest } from './page-requests.ts';
import { responseProblem, socketProblem } from './check-response.ts';
import { rawRequests, mutate } from './raw-bytes.ts';
import { makePanelRequest, makeRequest, toBytes, type GeneratedRequest } from './requests.ts';
import { socketBytes } from './sockets.ts';
import { noFindings, type Findings } from './findings.ts';
import { createFuzzFixture, type FixtureKind, type FuzzFixture } from './fixture.ts';
import {
  openHttpConnection,
  type WireResponse,
  type WireExchange,
  type HttpConnection,
} from './http-connection.ts';

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** Called regularly with how many were sent. */
  onProgress?: (sent: number, megabytes: number) => void;
  /** Ends it early. */
  signal?: AbortSignal;
}

/** A response or a disconnect that takes longer is slow. */
const slowMs = 2_000;
const connectionCount = 24;

interface FuzzRun {
  readonly options: FuzzOptions;
  readonly service: TestService;
  readonly fixture: FuzzFixture;
  readonly findings: Findings;
  open(from?: string): Promise<HttpConnection>;
  sent: number;
  /** Megabytes after the first tenth of the requests. */
  early: number;
}

export async function fuzz(options: FuzzOptions): Promise<Findings> {
  // Requests to the pages would be answered with 503 until they are built.
  await buildWeb();
  await using service = await startService({ realTime: true });
  const fixture = await createFuzzFixture(service);
  const findings = noFindings();
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  const open: FuzzRun['open'] = (from) => openWithRetries(service, from);
  const run: FuzzRun = { options, service, fixture, findings, open, sent: 0, early: 0 };

  await Promise.all(Array.from({ length: connectionCount }, () => sendUntilOver(run)));
  findings.healthy = await isHealthy(service.testClient.sdkClient(fixture.ownerKey), open);
  findings.polluted = Object.getOwnPropertyNames(Object.prototype).filter(
    (name) => !prototype.includes(name),
  );
  findings.endMegabytes = memory();
  findings.grownMegabytes = findings.endMegabytes - (run.early || findings.endMegabytes);
  return findings;
}

/** Sends requests on one connection, which is opened again whenever it breaks. */
async function sendUntilOver(run: FuzzRun): Promise<void> {
  const { findings, service } = run;
  const { requests, onProgress, signal } = run.options;
  let connection: HttpConnection | undefined;
  const isOver = (): boolean => run.sent >= requests || signal?.aborted === true;
  while (!isOver()) {
    const number = (run.sent += 1);
    try {
      if (!connection?.usable) {
        connection?.close();
        connection = await run.open();
      }
      await sendOne(run, number, connection);
    } catch (error) {
      const found = isHandshakeTimeout(error) ? findings.timedOut : findings.wrong;
      found.push(`request ${number}: ${String(error)}`);
      connection?.close();
      connection = undefined;
    }
    findings.wrong.push(...errorsIn(service).map((line) => `logged by request ${number}: ${line}`));
    if (number === Math.ceil(requests / 10)) run.early = memory();
    if (number % 10_000 === 0) onProgress?.(number, memory());
  }
  connection?.close();
}

/** A request on the wire; or bytes, or the messages of a device, on separate connections. */
async function sendOne(run: FuzzRun, number: number, connection: HttpConnection): Promise<void> {
  const { fixture, findings, open, service } = run;
  const random = createSeededRandom(run.options.seed * 1_000_003 + number);
  const sort = random.pick(weightedSorts);
  findings.sent[sort] = (findings.sent[sort] ?? 0) + 1;
  const complain = (what: string): void => void findings.wrong.push(`request ${number} (${sort}): ${what}`);
  if (sort === 'bytes')
    return recordExchange(await sendRawBytes(fixture, open, random), undefined, number, findings);
  if (sort === 'sockets') {
    const outsider = await open(strangerOf(random));
    const wrong = socketProblem(await outsider.sendLast(socketBytes(fixture, random)));
    return void (wrong && complain(wrong));
  }
  if (sort === 'devices') {
    const outcome = await sendAsDevice(service.testClient.baseUrl, fixture, random);
    if (outcome === 'entered') findings.entered += 1;
    return void (outcome.startsWith('it ') && complain(outcome));
  }
  const made = makers[sort](fixture, random);
  const exchange = await sendRequest(made, connection, random);
  recordExchange(exchange, made, number, findings);
  rememberCreated(fixture, made, exchange.answers[0]);
  if (made.by !== undefined && exchange.received.includes('"signed_out"')) await fixture.comeBack(made.by);
}

/** What is sent, and how often: each as often as it is listed here. */
const weightedSorts = [
  ...Array<'api'>(10).fill('api'),
  ...Array<'panel'>(5).fill('panel'),
  ...Array<'pages'>(3).fill('pages'),
  ...Array<'sockets'>(3).fill('sockets'),
  ...Array<'bytes'>(2).fill('bytes'),
  'devices',
] as const;

/** Another network each time: one that sent too many malformed messages is blocked. */
const strangerOf = (random: SeededRandom): string =>
  `127.${random.whole(1, 254)}.${random.whole(0, 255)}.${random.whole(1, 254)}`;

const makers = { api: makeRequest, panel: makePanelRequest, pages: makePageRequest };

/** On a busy machine the service may time out before the handshake ends. */
const isHandshakeTimeout = (error: unknown): boolean =>
  String(error).includes('disconnected before secure TLS connection was established');

/** A handshake may time out; a retry seldom does. */
async function openWithRetries(service: TestService, from?: string, tries = 3): Promise<HttpConnection> {
  return openHttpConnection(service.server.config.listen.port, service.testClient.ca, from).catch(
    (error: unknown) => {
      if (tries === 0) throw error;
      return openWithRetries(service, from, tries - 1);
    },
  );
}

/** What the service logged as its own errors; clears the log. */
const errorsIn = ({ logged }: TestService): string[] =>
  logged.splice(0).filter((line) => /"level":"(error|fatal)"/.test(line));

const sendRequest = (
  made: GeneratedRequest,
  connection: HttpConnection,
  random: SeededRandom,
): Promise<WireExchange> => connection.ask(toBytes(made, random), made.method === 'HEAD');

/** Something that is wrong as HTTP, on a separate connection; half of the time with altered bytes. */
async function sendRawBytes(
  fixture: FuzzFixture,
  open: () => Promise<HttpConnection>,
  random: SeededRandom,
): Promise<WireExchange> {
  const bytes = Buffer.from(random.pick(rawRequests)(fixture.ownerKey), 'latin1');
  const connection = await open();
  return connection.sendLast(random.oneIn(2) ? mutate(bytes, random) : bytes);
}

function recordExchange(
  { answers, ms }: WireExchange,
  made: GeneratedRequest | undefined,
  number: number,
  findings: Findings,
): void {
  const body = made?.body?.toString('latin1', 0, 200) ?? '';
  const name = made ? `${made.method} ${made.target.slice(0, 200)} ${body}` : 'bytes';
  const complain = (what: string): void => void findings.wrong.push(`request ${number} (${name}): ${what}`);
  findings.slowestMs = Math.max(findings.slowestMs, ms);
  if (ms > slowMs) findings.slow.push(`request ${number} (${name}): it took ${Math.round(ms)} ms`);
  if (made && answers.length === 0 && !mayGoUnanswered(made)) complain('it was not answered');
  for (const answer of answers) {
    findings.codes[answer.http] = (findings.codes[answer.http] ?? 0) + 1;
    const wrong = responseProblem(answer, made);
    if (wrong) complain(wrong);
  }
  if (answers.length === 0) findings.codes[0] = (findings.codes[0] ?? 0) + 1;
}

/** An upgrade to an unsupported protocol is no longer a request: the connection just ends. */
const mayGoUnanswered = ({ headers }: GeneratedRequest): boolean =>
  headers.some(([name]) => name === 'Upgrade');

/** Later requests can name what was created. */
function rememberCreated(
  fixture: FuzzFixture,
  { id, method }: GeneratedRequest,
  answer: WireResponse | undefined,
): void {
  if (answer?.http !== 200 || method !== 'POST' || answer.head.includes('content-encoding:')) return;
  const kind = created[id];
  if (!kind) return;
  const body = JSON.parse(answer.body.toString()) as { id?: number; data?: { id?: number } };
  const things = fixture.things[kind];
  const made = body.id ?? body.data?.id;
  if (made !== undefined) things[things.length < 100 ? things.length : made % 100] = made;
}

const created: Record<string, FixtureKind> = {
  'groups/create': 'group',
  'team/role/create': 'role',
  'team/department/create': 'department',
  'support/create': 'connection',
  'keys/create': 'key',
};

async function isHealthy(
  client: { request(id: 'groups/list', params: object): Promise<unknown> },
  open: () => Promise<HttpConnection>,
): Promise<boolean> {
  const { http } = (await client.request('groups/list', {})) as { http: number };
  const connection = await open();
  const exchange = await connection.ask(
    Buffer.from('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    false,
  );
  connection.close();
  return http === 200 && exchange.answers[0]?.http === 200;
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_048_576;
}
