/** A separate sound server: what is played on its loudspeaker is what its microphone records. */
import { spawn } from 'node:child_process';
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
}

export async function startSound(): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-sound-'));
  const socket = join(folder, 'native');
  const modules = [
    'module-null-sink sink_name=loudspeaker rate=16000 channels=1',
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
  ];
  const args = ['-n', '--exit-idle-time=-1', '--log-level=error', ...modules.map((each) => `--load=${each}`)];
  const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, PULSE_RUNTIME_PATH: folder };
  const child = spawn(...boundToParent(findPulse()!, args), { stdio: 'ignore', env });
  await eventually(async () => existsSync(socket), Boolean);
  return {
    env: { PULSE_SERVER: `unix:${socket}` },
    async [Symbol.asyncDispose]() {
      if (child.kill('SIGKILL')) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
