/** Runs on Windows: the suite of platforms with Notepad; prints its report as JSON. */
import { spawn } from 'node:child_process';
import { createDryRun } from '@drawbridge/agent/platform/execute';
import { windows } from '@drawbridge/agent/platform/windows';
import { eventually } from '../../kit/eventually.ts';
import { exercisePlatform, press, type TextProgram, type UsedDesktop } from './exercise-platform.ts';

const control = ['ControlLeft', 'Control'] as const;
const withControl = ({ input }: UsedDesktop, letter: string): void =>
  press(input, control, [`Key${letter.toUpperCase()}`, letter]);

const attemptMs = 3_000;

/** Replaces the text in Notepad, and copies it until the clipboard has it: a program that starts may miss keys. */
async function replaceText(used: UsedDesktop, type: () => void, isIt: (text: string) => boolean) {
  return eventually(() => replaceOnce(used, type, isIt), Boolean);
}

/** Empty if it had no effect. */
function replaceOnce(used: UsedDesktop, type: () => void, isIt: (text: string) => boolean): Promise<string> {
  withControl(used, 'a');
  type();
  withControl(used, 'a');
  withControl(used, 'c');
  return eventually(used.copied, isIt, attemptMs).catch(() => '');
}

/** Types something behind it, because a text that the operator has sent is not sent back. */
async function paste(used: UsedDesktop): Promise<string> {
  const pasteAndMark = (): void => (withControl(used, 'v'), used.input.text('!'));
  return (await replaceOnce(used, pasteAndMark, (text) => text.endsWith('!'))).slice(0, -1);
}

const notepad: TextProgram = {
  at: { x: 300, y: 200 },
  colour: 0xff_ffff,
  async wake(used) {
    const { input } = used;
    const click = (): void => [0, 1, 0].forEach((buttons) => input.pointer(300, 200, buttons));
    const type = (): void => (click(), input.text('ready'));
    await replaceText(used, type, (text) => text.endsWith('ready'));
  },
  receive: (used, type) => replaceText(used, type, (text) => text !== '' && !text.endsWith('ready')),
  // It was copied when it was read.
  copy: () => {},
  paste,
  isPointedAt: async ({ cursor }, { x, y }) => cursor()?.x === x && cursor()?.y === y,
};

async function main(): Promise<void> {
  const child = spawn('notepad.exe', [], { stdio: 'ignore' });
  const report = await exercisePlatform(windows(createDryRun(() => {})), notepad);
  child.kill();
  console.log(`RESULTS ${JSON.stringify(report)}`);
  process.exit(0);
}

void main();
