/** Sessions on three nodes: links that all nodes are asked to open at once, and an operator who stops reading. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { openTestClient } from '../../kit/server/test-client.ts';
import {
  joinRelay,
  linkCode,
  openSessionLink,
  postToSession,
  randomKey,
  startFakeDevice,
  type FakeDevice,
  type RelayPeer,
} from '../../kit/session/session-ends.ts';
import { startFaultCluster, type FaultCluster } from './fault-cluster.ts';
import { exactly, seconds, type Figure, type Scenario } from './scenario.ts';

const links = 500;
/** Links that are raced for at the same time, each to a device of its own. */
const linksAtOnce = 10;

/** Clients that connect to one node each, as pages of the balancer's address. */
export const nodeClients = ({ nodes, url, certFile }: FaultCluster) =>
  nodes.map(({ process }) => {
    const server = {
      config: { listen: { port: Number(new URL(process.url).port) }, publicUrl: url },
      certificate: { certFile },
    } as never;
    return { server, testClient: openTestClient(server) };
  });

async function connectDevice({ url, owner }: FaultCluster): Promise<FakeDevice> {
  const device = await startFakeDevice(url, await createEnrolToken(owner));
  await waitUntilOnline(owner, device.id);
  return device;
}

const linkTo = async ({ owner }: FaultCluster, agent_id: number): Promise<string> => {
  const { http, body } = await owner.call('agents/connect', { agent_id });
  if (http !== 200) throw new Error(`no link: ${JSON.stringify(body)}`);
  return body['data'].url;
};

/** Networks of their own: links that are gone count as guesses of a network. */
const networkOf = (race: number): string => `10.0.${Math.floor(race / 250)}.${(race % 250) + 1}`;

/** Asks all nodes to open a link at once; resolves to their answers. */
function raceFor(clients: ReturnType<typeof nodeClients>, url: string, race: number): Promise<number[]> {
  const headers = { 'X-Forwarded-For': networkOf(race) };
  const open = async (client: (typeof clients)[number]): Promise<number> =>
    (await postToSession(client, 'open', { code: linkCode(url), key: randomKey() }, headers)).http;
  return Promise.all(clients.map(open));
}

const linkRace: Scenario = async () => {
  await using cluster = await startFaultCluster();
  await using cleanup = new AsyncDisposableStack();
  // One device would send more answers than a server accepts.
  const devices = await Promise.all(Array.from({ length: linksAtOnce }, () => connectDevice(cluster)));
  for (const device of devices) cleanup.use(device);
  const clients = nodeClients(cluster);
  const races: number[][] = [];
  while (races.length < links) {
    const urls = await Promise.all(devices.map(({ id }) => linkTo(cluster, id)));
    races.push(...(await Promise.all(urls.map((url, index) => raceFor(clients, url, races.length + index)))));
    const peers = devices.flatMap((device) => device.peers.splice(0));
    await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
  }
  const winnersOf = (answers: readonly number[]): number => answers.filter((http) => http === 200).length;
  const losers = races.flat().filter((http) => http !== 200);
  return [
    exactly(
      `winners of ${links} links, each raced for at three nodes`,
      races.flatMap(winnersOf).reduce((a, b) => a + b),
      links,
    ),
    exactly(
      'links with no winner, or several',
      races.filter((answers) => winnersOf(answers) !== 1).length,
      0,
    ),
    { name: 'answers to the others', value: [...new Set(losers)].join(', ') },
  ];
};

const frameBytes = 65_536;
const floodBytes = 200_000_000;
/** A frame kind that no version knows: relays forward it in both directions. */
const frame = Buffer.alloc(frameBytes, 0xff);

interface RunningSession {
  operator: RelayPeer;
  device: RelayPeer;
}

async function openSession(cluster: FaultCluster, device: FakeDevice): Promise<RunningSession> {
  const opened: OpenReply = await openSessionLink(nodeClients(cluster)[0]!, await linkTo(cluster, device.id));
  const operator = joinRelay(opened);
  await operator.paired;
  return { operator, device: device.peers.at(-1)! };
}

/** Milliseconds until a frame of the operator came back from the device. */
async function roundTrip({ operator, device }: RunningSession): Promise<number> {
  const startedAt = performance.now();
  const back = new Promise((resolve) => void operator.socket.once('message', resolve));
  device.socket.once('message', () => device.socket.send(Buffer.alloc(100, 0xff)));
  operator.socket.send(Buffer.alloc(100, 0xff));
  await back;
  return performance.now() - startedAt;
}

const residentMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;

const totalMegabytes = ({ nodes }: FaultCluster): number =>
  nodes.reduce((sum, { process }) => sum + residentMegabytes(process.pid), 0);

/** The device of the slow session sends as fast as it may, while another session measures its round trips. */
async function watchSlowReader(cluster: FaultCluster, slow: RunningSession, other: RunningSession) {
  const [before, startedAt] = [totalMegabytes(cluster), performance.now()];
  const end: { afterMs?: number } = {};
  void slow.device.closed.then(() => (end.afterMs = performance.now() - startedAt));
  slow.operator.socket.pause();
  for (let sent = 0; sent < floodBytes; sent += frameBytes) slow.device.socket.send(frame);
  const times: number[] = [];
  let most = before;
  while (end.afterMs === undefined && performance.now() - startedAt < 60_000) {
    times.push(await roundTrip(other));
    most = Math.max(most, totalMegabytes(cluster));
    await wait(50);
  }
  return { endedAfter: end.afterMs, more: most - before, times: times.toSorted((a, b) => a - b) };
}

function memoryFigure(megabytes: number): Figure {
  return {
    name: 'memory of the three nodes meanwhile',
    value: `${megabytes.toFixed(0)} MB more`,
    aim: `less than the ${floodBytes / 1_000_000} MB that were sent`,
    reached: megabytes < floodBytes / 1_000_000,
  };
}

const slowReader: Scenario = async () => {
  await using cluster = await startFaultCluster();
  await using device = await connectDevice(cluster);
  const [slow, other] = [await openSession(cluster, device), await openSession(cluster, device)];
  await using _slow = slow.operator;
  await using _other = other.operator;
  const { endedAfter, more, times } = await watchSlowReader(cluster, slow, other);
  const at = (part: number): number => times[Math.floor((times.length - 1) * part)]!;
  return [
    {
      name: 'the session of an operator who does not read ended after',
      value: endedAfter === undefined ? 'not at all' : seconds(endedAfter),
      aim: '20 to 40 s',
      reached: endedAfter !== undefined && endedAfter >= 20_000 && endedAfter <= 40_000,
    },
    memoryFigure(more),
    {
      name: 'round trips of another session meanwhile',
      value: `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`,
    },
    exactly('other sessions that ended', other.operator.socket.readyState === 1 ? 0 : 1, 0),
  ];
};

export const sessionFaults = { 'link-race': linkRace, 'slow-reader': slowReader } as const;
