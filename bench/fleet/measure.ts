/** Measures one server with one fleet: arrival, idle load, commands, and reconnection after a restart. */
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, residentMegabytes } from '../kit/process.ts';
import { sendInSequence, sendContinuously, type LatencySummary } from './timed-requests.ts';
import type { FleetContender, ServerHandle } from './contenders.ts';
import { startSimulator, type Simulator } from './simulator.ts';

interface Reconnection {
  /** From the end of the old server until every device is online again. */
  seconds: number;
  /** The part of it until the new server was ready. */
  awaySeconds: number;
  /** Latency of the API from the readiness of the new server until every device was online again. */
  api: LatencySummary;
}

export interface FleetResult {
  name: FleetContender['name'];
  agents: number;
  onlineSeconds: number;
  /** CPU time of the server per device that connected. */
  cpuMsPerArrival: number;
  kbPerAgent: number;
  /** Percent of one core while only heartbeats are exchanged. */
  restPercent: number;
  command: LatencySummary;
  afterCrash: Reconnection;
  /** Only our server can tell its devices when to reconnect. */
  afterStop: Reconnection | undefined;
}

/** More connections than two cores can accept, so that a queue forms. */
const offeredPerSecond = 500;
const reconnectTimeoutSeconds = 300;
/** Time until the data of the arrival is stored, and the duration of two rounds of heartbeats. */
const [settleSeconds, restSeconds] = [15, 24];
const commands = 500;

interface FleetRun {
  contender: FleetContender;
  agents: number;
  /** The current server; a restart replaces it. */
  running: ServerHandle;
  note: (line: string) => void;
}

export async function measureFleet(
  contender: FleetContender,
  agents: number,
  note: (line: string) => void,
): Promise<FleetResult> {
  const run: FleetRun = { contender, agents, running: await contender.start(), note };
  try {
    const token = await contender.token(run.running, agents);
    await wait(2_000);
    const memory = residentMegabytes(run.running.pid);
    const before = { cpu: cpuSeconds(run.running.pid), time: performance.now() };
    const address = `https://127.0.0.1:${run.running.port}`;
    await using simulator = startSimulator(address, token, agents, agents / offeredPerSecond);
    const arrival = await measureArrival(run, simulator, before);
    const restPercent = await measureIdleCpu(run.running);
    const kbPerAgent = ((residentMegabytes(run.running.pid) - memory) * 1_024) / agents;
    note(`${kbPerAgent.toFixed(1)} KB per device, ${restPercent.toFixed(2)} % of a core at rest`);
    const command = await sendInSequence(await contender.commands(run.running, Math.min(agents, commands)));
    const afterCrash = await measureRestart(run, simulator, 'SIGKILL');
    const afterStop = contender.name === 'ours' ? await measureRestart(run, simulator, 'SIGTERM') : undefined;
    const { name } = contender;
    return { name, agents, ...arrival, kbPerAgent, restPercent, command, afterCrash, afterStop };
  } finally {
    await run.running.end('SIGTERM');
  }
}

/** Waits until every device is online; `before` is the state before the first one arrived. */
async function measureArrival(
  { agents, running, note }: FleetRun,
  simulator: Simulator,
  before: { cpu: number; time: number },
): Promise<Pick<FleetResult, 'onlineSeconds' | 'cpuMsPerArrival'>> {
  await simulator.until((online) => online === agents, reconnectTimeoutSeconds);
  const onlineSeconds = secondsSince(before.time);
  const cpuMsPerArrival = ((cpuSeconds(running.pid) - before.cpu) / agents) * 1_000;
  note(`${agents} devices online after ${onlineSeconds.toFixed(1)} s`);
  return { onlineSeconds, cpuMsPerArrival };
}

const secondsSince = (started: number): number => (performance.now() - started) / 1_000;

async function measureIdleCpu({ pid }: ServerHandle): Promise<number> {
  await wait(settleSeconds * 1_000);
  const [before, started] = [cpuSeconds(pid), performance.now()];
  await wait(restSeconds * 1_000);
  return ((cpuSeconds(pid) - before) / secondsSince(started)) * 100;
}

async function measureRestart(
  run: FleetRun,
  simulator: Simulator,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<Reconnection> {
  const { contender, agents, note } = run;
  const started = performance.now();
  await run.running.end(signal);
  run.running = await contender.start(run.running.port);
  const awaySeconds = secondsSince(started);
  const requests = sendContinuously(contender.api(run.running));
  await simulator.until((online) => online < agents / 2, reconnectTimeoutSeconds);
  await simulator.until((online) => online === agents, reconnectTimeoutSeconds);
  const seconds = secondsSince(started);
  const api = await requests.stop();
  note(
    `all back ${seconds.toFixed(1)} s after ${signal} (away ${awaySeconds.toFixed(1)} s), API p99 ${api.p99.toFixed(0)} ms`,
  );
  return { seconds, awaySeconds, api };
}
