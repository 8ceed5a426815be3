/** Thousands of simulated devices at a cluster, and how many of them are connected. */
import { startProgram } from '../../kit/process.ts';
import { eventually } from '../../kit/eventually.ts';
import { createEnrolToken } from '../../kit/server/enrolment.ts';
import type { FaultCluster } from './fault-cluster.ts';

interface DeviceCounts {
  online: number;
  refused: number;
  /** How often a device has connected. */
  arrivals: number;
}

export interface SimulatedDevices extends AsyncDisposable {
  counts(): DeviceCounts;
}

/** Time in which this many devices connect at once on a small machine. */
const devicesPerSecond = 60;
const arrivalTimeoutMs = 400_000;

export async function connectDevices(cluster: FaultCluster, count: number): Promise<SimulatedDevices> {
  const token = await createEnrolToken(cluster.owner, { uses: count });
  const ramp = Math.ceil(count / devicesPerSecond);
  const options = { server: cluster.url, token, agents: count, ramp };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const program = startProgram('agent/src/simulate/main.ts', ['simulate', ...args, '--json'], {});
  const counts = (): DeviceCounts => {
    const line = program
      .output()
      .split('\n')
      .findLast((each) => each.startsWith('{') && each.endsWith('}'));
    return line === undefined ? { online: 0, refused: 0, arrivals: 0 } : (JSON.parse(line) as DeviceCounts);
  };
  await eventually(counts, ({ online }) => online === count, arrivalTimeoutMs);
  return { counts, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}
