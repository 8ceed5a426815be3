/** A separate sound server: what is played on its loudspeaker is what its microphone records. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { findPulse } from '../requirements.ts';
import { boundToParent } from '../process.ts';

export interface Sound extends AsyncDisposable {
  /** The environment for programs that use it. */
  env: Record<string, string>;
  /** Sends a command to it, such as `set-default-sink loudspeaker`, and returns the answer. */
  command(...words: string[]): string;
}

export type SoundServer = 'PulseAudio' | 'PipeWire';

const loudspeaker = 'module-null-sink sink_name=loudspeaker rate=16000 channels=1';

export async function startSound(kind: SoundServer = 'PulseAudio'): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-sound-'));
  const start = kind === 'PulseAudio' ? startPulse : startPipeWire;
  const { programs, socket } = await start(folder);
  const env = { PULSE_SERVER: `unix:${socket}` };
  const command = (...words: string[]): string =>
    execFileSync('pactl', words, { env: { ...process.env, ...env, LC_ALL: 'C' }, encoding: 'utf8' });
  if (kind === 'PipeWire') command('load-module', ...loudspeaker.split(' '));
  await eventually(
    () => command('info'),
    (info) => info.includes('Default Sink: loudspeaker'),
  );
  return {
    env,
    command,
    async [Symbol.asyncDispose]() {
      for (const program of programs.toReversed()) if (program.kill('SIGKILL')) await once(program, 'exit');
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

interface StartedServer {
  programs: ChildProcess[];
  /** Where programs of PulseAudio reach it. */
  socket: string;
}

async function startIn(
  folder: string,
  socket: string,
  [program, ...args]: readonly [string, ...string[]],
  variables: Record<string, string> = {},
): Promise<ChildProcess> {
  const env = {
    ...process.env,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    PULSE_RUNTIME_PATH: folder,
    ...variables,
  };
  const child = spawn(...boundToParent(program, args), { stdio: 'ignore', env });
  await eventually(() => existsSync(socket), Boolean);
  return child;
}

async function startPulse(folder: string): Promise<StartedServer> {
  const socket = join(folder, 'native');
  const modules = [loudspeaker, `module-native-protocol-unix socket=${socket} auth-anonymous=1`];
  const args = ['-n', '--exit-idle-time=-1', '--log-level=error', ...modules.map((each) => `--load=${each}`)];
  return { socket, programs: [await startIn(folder, socket, [findPulse()!, ...args])] };
}

/** With its session manager, which chooses the default loudspeaker, and its server for programs of PulseAudio. */
async function startPipeWire(folder: string): Promise<StartedServer> {
  const [bus, own, socket] = ['bus', 'pipewire-0', 'native'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const address = `unix:path=${bus}`;
  const variables = { DBUS_SESSION_BUS_ADDRESS: address, DBUS_SYSTEM_BUS_ADDRESS: address };
  const programs = [
    await startIn(folder, bus, [
      'dbus-daemon',
      '--session',
      '--nofork',
      '--nopidfile',
      `--address=${address}`,
    ]),
    await startIn(folder, own, ['pipewire'], variables),
    await startIn(folder, own, ['wireplumber'], variables),
    await startIn(folder, socket, ['pipewire-pulse'], variables),
  ];
  return { programs, socket };
}
