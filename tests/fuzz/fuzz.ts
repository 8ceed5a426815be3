/** The fuzz: sends generated requests to a house for as long as it is told, and says everything that was wrong. */
import { startHouse } from '../kit/house.ts';
import { diceOf, type Dice } from './dice.ts';
import { wrongIn } from './judge.ts';
import { rawRequests, shaken } from './raw-bytes.ts';
import { makeRequest, toBytes, type Made } from './requests.ts';
import { buildTown, type Kind, type Town } from './town.ts';
import { openWire, type Heard, type Told, type Wire } from './wire.ts';

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** Called now and then with how many were sent. */
  onProgress?: (sent: number, megabytes: number) => void;
}

export interface Findings {
  /** What was wrong, each with the number of the request: the seed and the number decide what was sent, but for keys and ids. */
  wrong: string[];
  /** How many answers there were by their code; 0 counts connections that ended without one. */
  codes: Record<number, number>;
  slowestMs: number;
  /** Whether the house still answers at the end, and answers rightly. */
  healthy: boolean;
  /** Names that were not on Object.prototype before. */
  polluted: string[];
  /** Growth of memory from the first tenth to the end, after collecting what nobody holds. */
  grownMegabytes: number;
}

/** Nothing may take longer: neither an answer, nor hanging up on what deserves none. */
const limitMs = 2_000;
const wires = 24;

export async function fuzz({ seed, requests, onProgress }: FuzzOptions): Promise<Findings> {
  await using house = await startHouse({ realTime: true });
  const town = await buildTown(house);
  const findings: Findings = {
    wrong: [],
    codes: {},
    slowestMs: 0,
    healthy: false,
    polluted: [],
    grownMegabytes: 0,
  };
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  const open = (): Promise<Wire> => openWire(house.server.config.listen.port, house.door.ca);
  let [sent, early] = [0, 0];

  async function one(number: number, wire: Wire): Promise<void> {
    const dice = diceOf(seed * 1_000_003 + number);
    const made = dice.oneIn(12) ? undefined : makeRequest(town, dice);
    const told = await (made ? say(made, wire, dice) : shout(town, open, dice));
    note(told, made, number, findings);
    if (made) learn(town, made, told.answers[0]);
  }
  async function work(): Promise<void> {
    let wire = await open();
    while (sent < requests) {
      const number = (sent += 1);
      if (!wire.usable) {
        wire.close();
        wire = await open();
      }
      await one(number, wire).catch((error: unknown) => {
        findings.wrong.push(`request ${number}: ${String(error)}`);
        wire.usable = false;
      });
      house.logged.length = 0;
      if (number === Math.ceil(requests / 10)) early = memory();
      if (number % 10_000 === 0) onProgress?.(number, memory());
    }
    wire.close();
  }

  await Promise.all(Array.from({ length: wires }, work));
  findings.healthy = await isHealthy(house.door.client(town.ownerKey), open);
  findings.polluted = Object.getOwnPropertyNames(Object.prototype).filter(
    (name) => !prototype.includes(name),
  );
  findings.grownMegabytes = memory() - early;
  return findings;
}

const say = (made: Made, wire: Wire, dice: Dice): Promise<Told> =>
  wire.ask(toBytes(made, dice), made.method === 'HEAD');

/** Something that is wrong as HTTP, on a connection of its own; half of the time shaken before it is sent. */
async function shout(town: Town, open: () => Promise<Wire>, dice: Dice): Promise<Told> {
  const bytes = Buffer.from(dice.pick(rawRequests)(town.ownerKey), 'latin1');
  const wire = await open();
  return wire.shout(dice.oneIn(2) ? shaken(bytes, dice) : bytes);
}

function note({ answers, ms }: Told, made: Made | undefined, number: number, findings: Findings): void {
  const body = made?.body?.toString('latin1', 0, 200) ?? '';
  const name = made ? `${made.method} ${made.target.slice(0, 200)} ${body}` : 'bytes';
  const complain = (what: string): void => void findings.wrong.push(`request ${number} (${name}): ${what}`);
  findings.slowestMs = Math.max(findings.slowestMs, ms);
  if (ms > limitMs) complain(`it took ${Math.round(ms)} ms`);
  if (made && answers.length === 0 && !mayBeLeft(made)) complain('it was not answered');
  for (const answer of answers) {
    findings.codes[answer.http] = (findings.codes[answer.http] ?? 0) + 1;
    const wrong = wrongIn(answer, made);
    if (wrong) complain(wrong);
  }
  if (answers.length === 0) findings.codes[0] = (findings.codes[0] ?? 0) + 1;
}

/** An upgrade to what is not spoken here is no request any more: the connection just ends. */
const mayBeLeft = ({ headers }: Made): boolean => headers.some(([name]) => name === 'Upgrade');

/** What was created can be named by later requests. */
function learn(town: Town, { id, method }: Made, answer: Heard | undefined): void {
  if (answer?.http !== 200 || method !== 'POST' || answer.head.includes('content-encoding:')) return;
  const kind = created[id ?? ''];
  if (!kind) return;
  const body = JSON.parse(answer.body.toString()) as { id?: number; data?: { id?: number } };
  const things = town.things[kind];
  const made = body.id ?? body.data?.id;
  if (made !== undefined) things[things.length < 100 ? things.length : made % 100] = made;
}

const created: Record<string, Kind> = {
  'groups/create': 'group',
  'team/role/create': 'role',
  'team/department/create': 'department',
  'support/create': 'connection',
  'keys/create': 'key',
};

async function isHealthy(
  client: { request(id: 'groups/list', params: object): Promise<unknown> },
  open: () => Promise<Wire>,
): Promise<boolean> {
  const { http } = (await client.request('groups/list', {})) as { http: number };
  const wire = await open();
  const told = await wire.ask(Buffer.from('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n'), false);
  wire.close();
  return http === 200 && told.answers[0]?.http === 200;
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_048_576;
}
