/** The helper that starts as root and becomes the person: what other programs of the person can do to it. Needs root. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMessageChannel } from '@drawbridge/agent/platform/helper/message-channel';
import { createRemoteObjects, mainObject } from '@drawbridge/agent/platform/helper/remote-objects';
import { createFrameMemory } from '@drawbridge/agent/platform/linux/wayland/frame-memory';
import { pathSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-path';
import { createDesktopFolder, nobody, nobodyCommand } from '../../../kit/display/desktop-of-another-user.ts';
import { eventually } from '../../../kit/eventually.ts';
import { offeredToAll, offeredToGranted, playKwin } from '../kde/played-kwin.ts';

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

/** `env`: the desktop of the person, of which there is none otherwise. */
async function startHelper(env: Record<string, string> = {}) {
  const memory = await createFrameMemory();
  const nodeOptions = ['--inspect-port=0', '--import', reportLibraries];
  const command = [...nodeOptions, agentProgram, 'desktop-helper', '--person', `${nobody}:${nobody}`];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', memory.fd],
  });
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

function runAsPerson(...command: string[]): { status: number | null; stderr: string } {
  const [program, ...options] = nobodyCommand;
  return spawnSync(program!, [...options, ...command], { encoding: 'utf8' });
}

/** What another program of the person can open of a process. Some kernels always refuse them the memory. */
const openToPerson = (pid: number): string[] =>
  ['exe', 'environ', 'mem'].filter((part) => {
    const { status, stderr } = runAsPerson('sh', '-c', `exec 3< /proc/${pid}/${part}`);
    assert.match(stderr, status === 0 ? /^$/ : /Permission denied/);
    return status === 0;
  });

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

  assert.equal(runAsPerson('kill', '-USR1', `${helper.pid}`).status, 0);
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

test('other programs of the person cannot look into the helper after its start', { skip }, async () => {
  using helper = await startHelper({ [pathSetting]: 'GNOME' });
  const [program, ...options] = nobodyCommand;
  const other = spawn(program!, [...options, 'sleep', '60'], { stdio: 'ignore' });

  await helper.answer();
  const ofOther = await eventually(
    () => openToPerson(other.pid!),
    ({ length }) => length > 0,
  );
  other.kill('SIGKILL');

  assert.deepEqual(ofOther.slice(0, 2), ['exe', 'environ']);
  assert.deepEqual(openToPerson(helper.pid), []);
});

test(
  'KWin can look into the helper while it connects, and nobody else of the person afterwards',
  { skip },
  async () => {
    using place = createDesktopFolder();
    const desktop = { XDG_RUNTIME_DIR: place.folder, WAYLAND_DISPLAY: 'wayland-0', [pathSetting]: 'KDE' };
    const whileConnecting: string[][] = [];
    await using kwin = await playKwin(
      join(place.folder, 'wayland-0'),
      [...offeredToAll, ...offeredToGranted],
      () => whileConnecting.push(openToPerson(helper.pid)),
    );
    using helper = await startHelper(desktop);

    await helper.answer();

    assert.equal(kwin.connections(), 1);
    assert.deepEqual(whileConnecting[0]?.slice(0, 2), ['exe', 'environ']);
    assert.deepEqual(openToPerson(helper.pid), []);
  },
);
