/** Runs on Windows: uses each part of the platform as a session does, and prints what happened as JSON. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createDryRun } from '@drawbridge/agent/platform/execute';
import type { Capture, Clipboard, Desktop, DesktopInput } from '@drawbridge/agent/platform/desktop';
import { windows } from '@drawbridge/agent/platform/windows';
import { runPersonHelper } from '@drawbridge/agent/platform/windows/person/run-helper';
import { eventually } from '../../../kit/eventually.ts';
import { answerQuestion, click, pressStop, untilEffect } from './answer-panes.ts';
import { messageOf, transferFiles } from './transfer-files.ts';
import { callPerson, confirmNotice, pressSecureAttention, wakeOther } from './use-system.ts';
import { endHelper, helperPidFile, serviceEnvironment, useTerminal } from './use-helper.ts';

const commands: string[] = [];
/** As in a service: a process of the signed-in person, which is this program again, opens files and shells. */
const platform = windows(
  createDryRun((line) => commands.push(line)),
  true,
);

const uninstallKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Example';

async function inventory() {
  for (const [name, value] of [
    ['DisplayName', 'Example program'],
    ['DisplayVersion', '1.2'],
    ['InstallDate', '20260102'],
  ] as const)
    spawnSync('reg.exe', ['add', uninstallKey, '/v', name, '/d', value, '/f']);
  return {
    facts: await platform.facts(),
    fingerprint: await platform.fingerprint(),
    hardware: await platform.hardware(),
    software: await platform.software(),
  };
}

const typed = 'Hello wörld €ж😀 /?^';

function press(input: DesktopInput, key: string, held?: string): void {
  if (held) input.key(true, `${held}Left`, held);
  input.key(true, `Key${key.toUpperCase()}`, key);
  input.key(false, `Key${key.toUpperCase()}`, key);
  if (held) input.key(false, `${held}Left`, held);
}

/** Waits until the screen changes, which Notepad does when it appears. */
async function watchScreen(capture: Capture): Promise<{ pointer(): { x: number; y: number } | undefined }> {
  let changes = 0;
  let last: { x: number; y: number } | undefined;
  capture.onDamage(() => {
    changes += 1;
    void capture.damage();
  });
  capture.onCursor(({ x, y }) => (last = { x, y }));
  await eventually(
    () => changes,
    (count) => count > 0,
  );
  return { pointer: () => last };
}

function copyAll(input: DesktopInput): void {
  press(input, 'a', 'Control');
  press(input, 'c', 'Control');
}

/** Types, copies everything, and pastes what the operator has in the clipboard. */
async function typeAndPaste(clipboard: Clipboard, input: DesktopInput) {
  let copied = '';
  clipboard.onChange((text) => (copied = text));
  // Keys that follow a click at once may reach the window that had the focus before.
  await untilEffect(
    () => {
      click(input, 300, 200);
      input.text('ready');
      copyAll(input);
    },
    () => copied.endsWith('ready'),
  );
  await untilEffect(
    () => {
      press(input, 'a', 'Control');
      for (const character of typed) press(input, character, /[A-Z]/.test(character) ? 'Shift' : undefined);
      input.text('\nnext');
      copyAll(input);
    },
    () => copied.endsWith('next'),
  );
  const read = copied;
  clipboard.write('from the operator\nзвук');
  await untilEffect(
    () => {
      press(input, 'a', 'Control');
      press(input, 'v', 'Control');
      press(input, '!');
      copyAll(input);
    },
    // A program that has the clipboard open at that moment prevents the paste.
    () => copied.endsWith('звук!'),
  );
  return { read, pasted: copied };
}

async function desktopOf(desktop: Desktop) {
  const { width, height, monitors } = await desktop.layout();
  const capture = await desktop.capture();
  const notepad = spawn('notepad.exe', [], { stdio: 'ignore' });
  const { pointer } = await watchScreen(capture);
  const [clipboard, input] = [await desktop.clipboard(), await desktop.input()];
  const texts = await typeAndPaste(clipboard, input);
  const [pixels] = await capture.grab([{ x: 200, y: 150, width: 1, height: 1 }]);
  const preview = await platform.preview(320);
  for (const each of [capture, clipboard, input]) each.close();
  notepad.kill();
  return {
    size: { width, height, monitors: monitors.length },
    ...texts,
    pixel: pixels!.words[pixels!.offset]! & 0xff_ffff,
    pointer: pointer(),
    preview: preview.bytes.toString('latin1', 1, 4),
  };
}

async function windowsOf(desktop: Desktop) {
  const input = await desktop.input();
  const { width, height } = await desktop.layout();
  let isStopped = false;
  const banner = await desktop.banner('Ann is connected');
  banner.onStop(() => (isStopped = true));
  await pressStop(input, width, () => isStopped);
  banner.close();
  const answer = await answerQuestion(desktop, input);
  const reply = await answerChat(desktop, input, { width, height });
  const shield = await messageOf(desktop.shield());
  input.close();
  return { isStopped, answer, reply, shield };
}

async function answerChat(
  desktop: Desktop,
  input: DesktopInput,
  { width, height }: { width: number; height: number },
): Promise<string> {
  let reply = '';
  await desktop.chat('Ann', 'Hello', (text) => (reply ||= text));
  await untilEffect(
    () => {
      click(input, width - 300, height - 22);
      input.text('Grüße\n');
    },
    () => reply !== '',
  );
  input.key(true, 'Escape', 'Escape');
  input.key(false, 'Escape', 'Escape');
  return reply;
}

async function power() {
  await platform.lock();
  await platform.reboot({ safe: true });
  await platform.recover();
  return commands;
}

const parts = {
  inventory,
  transfer: () => transferFiles(platform),
  terminal: () => useTerminal(platform),
  ending: () => endHelper(platform),
  desktop: async () => desktopOf(await platform.desktop()),
  windows: async () => windowsOf(await platform.desktop()),
  notice: async () => confirmNotice(platform, await platform.desktop()),
  wake: () => wakeOther(platform),
  call: () => callPerson(platform),
  secureAttention: pressSecureAttention,
  power,
};

async function main(): Promise<void> {
  Object.assign(process.env, serviceEnvironment);
  const results: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts))
    results[name] = await part().catch((error: Error) => ({ error: error.stack }));
  console.log(`RESULTS ${JSON.stringify(results)}`);
  process.exit(0);
}

async function help(): Promise<void> {
  writeFileSync(helperPidFile, `${process.pid}`);
  await runPersonHelper();
}

void (process.argv[2] === 'person-helper' ? help() : main());
