/**
 * A private NATS server on a free loopback port that can be stopped and started again at the same address.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../free-port.ts';
import { findNats } from '../requirements.ts';
import { boundToParent } from '../process.ts';

export interface Nats extends AsyncDisposable {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Freezes it with SIGSTOP, or lets it continue. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Resolves when it accepts connections; throws with its output if it ends first. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Server is ready')) resolve();
    });
    child.once('exit', () => reject(new Error(`nats-server did not start: ${output}`)));
  });
}

/** `options` are those of the program, such as the user it requires. */
export async function startNats(options: readonly string[] = []): Promise<Nats> {
  const program = findNats();
  if (!program) throw new Error('nats-server is not installed');
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(...boundToParent(program, ['-a', '127.0.0.1', '-p', String(port), ...options]), {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
  };
  const stop = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running?.kill('SIGKILL')) await once(running, 'exit');
  };
  await start();
  const signal: Nats['signal'] = (name) => void child?.kill(name);
  return { url: `nats://127.0.0.1:${port}`, start, stop, signal, [Symbol.asyncDispose]: stop };
}
