/** The display of a measurement with its content: a virtual display, or that of a VNC server. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { boundToParent } from '../../tests/kit/process.ts';
import { endProcess } from '../kit/process.ts';
import type { BenchScreenSize } from './marks.ts';

export interface BenchDisplay extends AsyncDisposable {
  /** Such as `:5`; empty if the agent has to find a Wayland desktop. */
  display: string;
}

/** A display that is a process of its own. */
export interface BenchServer extends BenchDisplay {
  pid: number;
}

/** Starts a measured program and ignores its output. */
export const startProcess = (
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess =>
  spawn(...boundToParent(program, args), { env: { ...process.env, ...env }, stdio: 'ignore' });

/** Starts a virtual display; the program reports the display number on a file descriptor. */
export async function openBenchDisplay(
  { width, height }: BenchScreenSize,
  content: string,
  [program, ...args]: readonly string[] = ['Xvfb'],
): Promise<BenchServer> {
  const size =
    program === 'Xvfb' ? ['-screen', '0', `${width}x${height}x24`] : ['-geometry', `${width}x${height}`];
  const child = spawn(
    ...boundToParent(program!, ['-displayfd', '3', '-noreset', '-nolisten', 'tcp', ...size, ...args]),
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const [number] = (await Promise.race([
    once(child.stdio[3]!, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${program} did not start.`))),
  ])) as [Buffer];
  const display = `:${number.toString().trim()}`;
  const drawing = await drawContent(content, { DISPLAY: display });
  return {
    display,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      await endProcess(drawing);
      await endProcess(child);
    },
  };
}

/** Draws the content on the display that the environment names, as this user if one is given. */
export async function drawContent(
  content: string,
  env: Record<string, string>,
  uid?: number,
): Promise<ChildProcess> {
  const drawing = fork(join(import.meta.dirname, 'content.ts'), [content], {
    env: { ...process.env, ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  await Promise.race([
    once(drawing, 'message'),
    once(drawing, 'exit').then(() => Promise.reject(new Error('The content could not be drawn.'))),
  ]);
  return drawing;
}

/** Polls until the condition is met, for programs that are starting. */
export async function waitUntilReady(isTrue: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (const limit = performance.now() + 20_000; !(await isTrue()); await wait(50))
    if (performance.now() > limit) throw new Error(`${what} was not ready within 20 seconds.`);
}
