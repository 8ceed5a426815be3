/** The helper that starts as root and becomes the person: what other programs of the person can do to it. Needs root. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMessageChannel } from '@drawbridge/agent/platform/helper/message-channel';
import { createRemoteObjects, mainObject } from '@drawbridge/agent/platform/helper/remote-objects';
import { createFrameMemory } from '@drawbridge/agent/platform/linux/wayland/frame-memory';
import { nobody, nobodyCommand } from '../../../kit/display/desktop-of-another-user.ts';
import { eventually } from '../../../kit/eventually.ts';

const skip = process.getuid?.() !== 0 && 'root is needed to become another person';
const agentProgram = join(import.meta.dirname, '../../../../agent/src/main.ts');
const debuggerLine = /Debugger listening/;

/** Says on its errors whether the foreign function interface is loaded when the process changes its user. */
const reportLibraries = `data:text/javascript,${encodeURIComponent(`
  const { setuid } = process;
  process.setuid = (uid) => {
    const { sharedObjects } = process.report.getReport();
    console.error('koffi is loaded: ' + sharedObjects.some((file) => file.includes('koffi')));
    setuid(uid);
  };
`)}`;

const errorsOf = (child: ChildProcess): (() => string) => {
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
};

async function startHelper() {
  const memory = await createFrameMemory();
  const nodeOptions = ['--inspect-port=0', '--import', reportLibraries];
  const command = [...nodeOptions, agentProgram, 'desktop-helper', '--person', `${nobody}:${nobody}`];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', memory.fd] });
  const socket = child.stdio[3] as Duplex;
  const channel = createMessageChannel(socket, socket);
  const errors = errorsOf(child);
  const objects = createRemoteObjects(channel, { closed: errors, silent: 'The helper does not answer.' });
  return {
    pid: child.pid!,
    errors,
    /** Any answer shows that the helper has become the person and still runs. */
    answer: () => objects.call(mainObject, 'detect'),
    [Symbol.dispose]() {
      channel.close();
      child.kill('SIGKILL');
      memory.close();
    },
  };
}

function signalAsPerson(pid: number): void {
  const [program, ...options] = nobodyCommand;
  const { status } = spawnSync(program!, [...options, 'kill', '-USR1', `${pid}`]);
  assert.equal(status, 0);
}

test('other programs of the person cannot start the debugger in the helper', { skip }, async () => {
  using helper = await startHelper();
  await helper.answer();
  const other = spawn(
    process.execPath,
    ['--inspect-port=0', '-e', 'console.error("ready"); setInterval(() => {}, 1e3)'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const otherErrors = errorsOf(other);
  await eventually(otherErrors, (text) => text.includes('ready'));

  signalAsPerson(helper.pid);
  other.kill('SIGUSR1');
  // Node starts it for every other program.
  await eventually(otherErrors, (text) => debuggerLine.test(text));
  other.kill('SIGKILL');
  await helper.answer();

  assert.doesNotMatch(helper.errors(), debuggerLine);
});

test('native code is loaded while the helper is still root', { skip }, async () => {
  using helper = await startHelper();

  await helper.answer();

  assert.match(helper.errors(), /koffi is loaded: true/);
});
