/** Runs on Windows: works on its desktop while mouse and keyboard change to another one and back, as for a question of Windows. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Capture, Desktop, DesktopInput } from '@drawbridge/agent/platform/desktop';
import { openDesktop } from '@drawbridge/agent/platform/windows/desktop';
import { inputDesktopName } from '@drawbridge/agent/platform/windows/input-desktop/desktop-names';
import { runInputDesktopHelper } from '@drawbridge/agent/platform/windows/input-desktop/run-helper';
import { loadDesktopApi } from '@drawbridge/agent/platform/windows/screen/desktop-api';
import { takeScreenshot } from '@drawbridge/agent/platform/windows/screen/screenshot';
import { eventually } from '../../../kit/eventually.ts';
import { answerQuestion, pressStop } from './answer-panes.ts';

/** Where the helper writes the number of its process, and the desktop on which it runs. */
const helperFile = 'C:\\helper.json';

const everything = 0x1000_0000;
/** Wine needs further parameters in some functions. */
const padding = Array<string>(8).fill('int64');
const zeros = padding.map(() => 0);

/** Creates desktops and changes to them, as only Windows itself does. */
async function createDesktops() {
  const { koffi } = await loadDesktopApi();
  const library = koffi.load('user32.dll');
  const declare = (name: string, ...types: string[]) => {
    const call = library.func(`uintptr __stdcall ${name}(${[...types, ...padding].join(', ')})`);
    return (...values: unknown[]) => call(...values, ...zeros) as number;
  };
  const create = declare('CreateDesktopW', 'str16', 'void*', 'void*', 'uint', 'uint', 'void*');
  const change = declare('SwitchDesktop', 'uintptr');
  const open = (name: string): number => create(name, null, null, 0, everything, null);
  return { open, change };
}

/** What an operator has open. */
async function work() {
  const desktop = await openDesktop();
  const [capture, input] = [await desktop.capture(), await desktop.input()];
  const banner = await desktop.banner('Ann is connected');
  let stops = 0;
  banner.onStop(() => (stops += 1));
  return { desktop, capture, input, banner, stops: () => stops };
}

async function untilWhole(
  capture: Capture,
  { width, height }: { width: number; height: number },
): Promise<boolean> {
  const isWhole = async (): Promise<boolean> =>
    (await capture.damage()).some((box) => box.width === width && box.height === height);
  return eventually(isWhole, Boolean, 60_000);
}

interface Worked {
  desktop: Desktop;
  input: DesktopInput;
  stops(): number;
}

/** Answers a question and presses Stop, on the desktop that has mouse and keyboard. */
async function answer({ desktop, input, stops }: Worked) {
  const { width } = await desktop.layout();
  const isAllowed = await answerQuestion(desktop, input);
  const before = stops();
  await pressStop(input, width, () => stops() > before);
  return { isAllowed, isStopped: stops() > before };
}

/** Whether the picture has more than one colour, as with a banner. */
async function isPainted(capture: Capture, { width }: { width: number }): Promise<boolean> {
  const [pixels] = await capture.grab([{ x: 0, y: 0, width, height: 30 }]);
  const { words, offset, stride, box } = pixels!;
  const row = words.subarray(offset + 10 * stride, offset + 10 * stride + box.width);
  return new Set(row).size > 1;
}

const helper = (): { pid: number; desktop: string } =>
  JSON.parse(readFileSync(helperFile, 'utf8')) as { pid: number; desktop: string };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function main(): Promise<void> {
  rmSync(helperFile, { force: true });
  const { open, change } = await createDesktops();
  const own = open('Default');
  const worked = await work();
  const size = await worked.desktop.layout();
  await worked.capture.damage();
  const isHelperEarly = existsSync(helperFile);
  change(open('Question'));
  const there = { isWhole: await untilWhole(worked.capture, size), ...(await answer(worked)) };
  const painted = await eventually(() => isPainted(worked.capture, size), Boolean);
  const { pid, desktop: place } = helper();
  change(own);
  const back = { isWhole: await untilWhole(worked.capture, size), ...(await answer(worked)) };
  const isGone = await eventually(() => !isRunning(pid), Boolean);
  for (const each of [worked.capture, worked.input, worked.banner, worked.desktop]) each.close();
  rmSync(helperFile);
  // Wine forgets the name of a desktop when the last program there has ended.
  change(open('Login'));
  const preview = { type: (await takeScreenshot(320)).type, place: helper().desktop };
  console.log(`RESULTS ${JSON.stringify({ isHelperEarly, there, painted, place, back, isGone, preview })}`);
  process.exit(0);
}

async function help(): Promise<void> {
  const desktop = inputDesktopName(await loadDesktopApi());
  writeFileSync(helperFile, JSON.stringify({ pid: process.pid, desktop }));
  await runInputDesktopHelper();
}

void (process.argv[2] === 'input-desktop-helper' ? help() : main());
