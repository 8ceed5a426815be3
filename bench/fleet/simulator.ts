/** The fleet: `drawbridge simulate` in its own processes, and the number of its devices that are online. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess } from '../kit/process.ts';
import { root } from '../kit/server.ts';

export interface Simulator extends AsyncDisposable {
  /** Resolves when the number of online devices satisfies the condition; rejects after a timeout. */
  until(fits: (online: number) => boolean, withinSeconds: number): Promise<void>;
}

interface SimulatorStatus {
  online: number;
  refused: number;
}

/** The simulator ends by itself after this time. */
const longestSeconds = 1_800;

export function startSimulator(
  server: string,
  token: string,
  agents: number,
  rampSeconds: number,
): Simulator {
  const options = { server, token, agents, ramp: rampSeconds, seconds: longestSeconds };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [join(root, 'dist/agent/simulate.js'), ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let status: SimulatorStatus = { online: 0, refused: 0 };
  let onStatus = (): void => {};
  createInterface(child.stdout).on('line', (line) => {
    status = JSON.parse(line) as SimulatorStatus;
    onStatus();
  });
  return {
    async until(fits, withinSeconds) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = (): void =>
        reject(new Error(`After ${withinSeconds} s ${status.online} of ${agents} devices were online.`));
      const timer = setTimeout(late, withinSeconds * 1_000);
      child.once('exit', late);
      onStatus = () => {
        if (status.refused > 0) reject(new Error(`${status.refused} devices were refused.`));
        if (fits(status.online)) resolve();
      };
      onStatus();
      await promise.finally(() => {
        clearTimeout(timer);
        child.off('exit', late);
        onStatus = () => {};
      });
    },
    [Symbol.asyncDispose]: () => endProcess(child),
  };
}
