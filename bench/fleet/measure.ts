/** One server with one fleet: until all are online, at rest, under commands, and after the server was started anew. */
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, residentMegabytes } from '../kit/process.ts';
import { sendInSequence, sendContinuously, type LatencySummary } from './timed-requests.ts';
import type { FleetContender, ServerHandle } from './contenders.ts';
import { startSimulator, type Simulator } from './simulator.ts';

interface Reconnection {
  /** From the end of the old server until every device is back. */
  seconds: number;
  /** Of these, until the new server answered. */
  awaySeconds: number;
  /** The API, from when the new server was ready until every device was back. */
  api: LatencySummary;
}

export interface FleetResult {
  name: FleetContender['name'];
  agents: number;
  onlineSeconds: number;
  /** Of the server, per device that was let in. */
  cpuMsPerArrival: number;
  kbPerAgent: number;
  /** Of one core, while nothing happens but signs of life. */
  restPercent: number;
  command: LatencySummary;
  afterCrash: Reconnection;
  /** Only ours can tell its devices when to come back. */
  afterStop: Reconnection | undefined;
}

/** Devices come in these numbers, which is more than two cores let in, so that there is a crowd. */
const offeredPerSecond = 500;
const reconnectTimeoutSeconds = 300;
/** Until what came with the arrival is stored and tidied away, and for two rounds of signs of life. */
const [settleSeconds, restSeconds] = [15, 24];
const commands = 500;

export async function measureFleet(
  contender: FleetContender,
  agents: number,
  note: (line: string) => void,
): Promise<FleetResult> {
  let running = await contender.start();
  try {
    const token = await contender.token(running, agents);
    await wait(2_000);
    const [memory, cpu] = [residentMegabytes(running.pid), cpuSeconds(running.pid)];
    const started = performance.now();
    await using simulator = startSimulator(
      `https://127.0.0.1:${running.port}`,
      token,
      agents,
      agents / offeredPerSecond,
    );
    await simulator.until((online) => online === agents, reconnectTimeoutSeconds);
    const onlineSeconds = secondsSince(started);
    const cpuMsPerArrival = ((cpuSeconds(running.pid) - cpu) / agents) * 1_000;
    note(`${agents} devices online after ${onlineSeconds.toFixed(1)} s`);
    const rest = await measureIdleCpu(running);
    const kbPerAgent = ((residentMegabytes(running.pid) - memory) * 1_024) / agents;
    note(`${kbPerAgent.toFixed(1)} KB per device, ${rest.toFixed(2)} % of a core at rest`);
    const command = await sendInSequence(await contender.commands(running, Math.min(agents, commands)));
    const again = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<Reconnection> => {
      const result = await restart({ contender, running, simulator, agents }, signal);
      running = result.running;
      const { seconds, awaySeconds, api } = result;
      note(
        `all back ${seconds.toFixed(1)} s after ${signal} (away ${awaySeconds.toFixed(1)} s), API p99 ${api.p99.toFixed(0)} ms`,
      );
      return result;
    };
    const afterCrash = await again('SIGKILL');
    const afterStop = contender.name === 'ours' ? await again('SIGTERM') : undefined;
    const { name } = contender;
    return {
      name,
      agents,
      onlineSeconds,
      cpuMsPerArrival,
      kbPerAgent,
      restPercent: rest,
      command,
      afterCrash,
      afterStop,
    };
  } finally {
    await running.end('SIGTERM');
  }
}

const secondsSince = (started: number): number => (performance.now() - started) / 1_000;

async function measureIdleCpu({ pid }: ServerHandle): Promise<number> {
  await wait(settleSeconds * 1_000);
  const [before, started] = [cpuSeconds(pid), performance.now()];
  await wait(restSeconds * 1_000);
  return ((cpuSeconds(pid) - before) / secondsSince(started)) * 100;
}

interface RestartOptions {
  contender: FleetContender;
  running: ServerHandle;
  simulator: Simulator;
  agents: number;
}

async function restart(
  { contender, running: before, simulator, agents }: RestartOptions,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<Reconnection & { running: ServerHandle }> {
  const started = performance.now();
  await before.end(signal);
  const running = await contender.start(before.port);
  const awaySeconds = secondsSince(started);
  const asking = sendContinuously(contender.api(running));
  await simulator.until((online) => online < agents / 2, reconnectTimeoutSeconds);
  await simulator.until((online) => online === agents, reconnectTimeoutSeconds);
  const seconds = secondsSince(started);
  return { running, seconds, awaySeconds, api: await asking.stop() };
}
