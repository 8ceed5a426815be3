/**
 * Desktop programs on a test's display: a terminal that records what is typed, mouse and keyboard input, and
 * the clipboard.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { boundToParent } from '../process.ts';
import { eventually } from '../eventually.ts';

const run = promisify(execFile);

/** Runs a program on the display that the environment names; resolves with its output. */
export const runOnDisplay = (program: string, ...args: string[]): Promise<string> =>
  runOn(process.env['DISPLAY'], program, args);

const runOn = async (
  display: string | undefined,
  program: string,
  args: readonly string[],
): Promise<string> =>
  (await run(program, args, { env: { ...process.env, DISPLAY: display, LC_ALL: 'C.UTF-8' } })).stdout;

export interface WindowGeometry {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Waits for the window with this title. */
export async function findWindow(title: string, display = process.env['DISPLAY']): Promise<WindowGeometry> {
  // One that is replaced meanwhile is not there any more.
  const ask = (...args: string[]): Promise<string> => runOn(display, 'xdotool', args).catch(() => '');
  const about = await eventually(
    async () => {
      const ids = await ask('search', '--onlyvisible', '--name', `^${title}$`);
      return ids && ask('getwindowgeometry', '--shell', ids.trim().split('\n')[0]!);
    },
    (found) => found !== '',
  );
  const numberOf = (name: string): number => Number(new RegExp(`^${name}=(-?\\d+)`, 'm').exec(about)![1]);
  return { x: numberOf('X'), y: numberOf('Y'), width: numberOf('WIDTH'), height: numberOf('HEIGHT') };
}

export const clickOnDisplay = (x: number, y: number, display = process.env['DISPLAY']): Promise<string> =>
  runOn(display, 'xdotool', ['mousemove', `${x}`, `${y}`, 'click', '1']);

/** Clicks into a window, and waits until it has the focus: what is typed before goes to another window. */
export async function focusByClick(title: string, x: number, y: number): Promise<void> {
  await clickOnDisplay(x, y);
  await eventually(
    () => runOnDisplay('xdotool', 'getwindowfocus', 'getwindowname').catch(() => ''),
    (name) => name.trim() === title,
  );
}

export interface TypingTerminal extends AsyncDisposable {
  /** A point inside its window. */
  at: { x: number; y: number };
  /** What was typed so far, up to the last line end. */
  typed(): string;
}

/** A terminal whose input is written to a file. */
export async function openTypingTerminal(): Promise<TypingTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-typed-'));
  const file = join(folder, 'typed');
  const title = `typewriter ${process.pid}`;
  const args = ['-u8', '-T', title, '-geometry', '60x10+100+200', '-e', 'sh', '-c', `cat > ${file}`];
  const child = spawn(...boundToParent('xterm', args), {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
  });
  const { x, y, width, height } = await findWindow(title);
  const read = (): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  return {
    at: { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) },
    typed: read,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Puts a text into the display's clipboard and keeps running to serve it. */
export async function copyText(text: string): Promise<void> {
  const child = spawn('xclip', ['-selection', 'clipboard'], {
    env: process.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end(text);
  await once(child, 'exit');
}

/** The text in the clipboard; empty while nobody offers one. */
export const pasteText = (): Promise<string> =>
  runOnDisplay('xclip', '-selection', 'clipboard', '-o').catch(() => '');
