/** A real KWin without a physical screen and without a graphics card, which it needs to share its screen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { grantRootSetting } from '@drawbridge/agent/platform/linux/wayland/kde/grant';
import { connectToCompositor } from '@drawbridge/agent/platform/linux/wayland/wire/connection';
import { eventually } from '../eventually.ts';
import { createDesktopFolder } from './desktop-of-another-user.ts';
import { writeRecordingWindow, type RecordingWindow } from './recording-window.ts';

export interface Kde extends AsyncDisposable, Pick<RecordingWindow, 'events'> {
  /** The runtime and home folder of its user. */
  folder: string;
  /** The root of the file system in which the agent installs what KWin needs. */
  root: string;
  /** The person at the device presses and releases a key, by the kernel's number. */
  press(code: number): Promise<void>;
}

const script = join(import.meta.dirname, '../../../scripts/kde/kde');
/** The requests of KWin's interface for simulated input. */
const fakeInput = { kind: 'org_kde_kwin_fake_input', version: 4, authenticate: 0, key: 10 } as const;

async function pressKey(folder: string, code: number): Promise<void> {
  const connection = await connectToCompositor({ XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-0' });
  const global = connection.globals().find(({ kind }) => kind === fakeInput.kind)!;
  const input = connection.bind(global, fakeInput.version);
  connection.request(input, fakeInput.authenticate, ['person', 'presses a key']);
  for (const down of [1, 0]) connection.request(input, fakeInput.key, [code, down]);
  await connection.sync();
  connection.close();
}

interface KdeOptions {
  /** The release of Debian: KWin 6.3 with the portal of KDE, or KWin 5.27. */
  release?: 'trixie' | 'bookworm';
  /** KWin grants everything to every program, so that the test can press keys as a keyboard would. */
  isOpen?: boolean;
}

/** Makes it the desktop that the agent in this process finds, on a device on which the agent can be installed. Needs root. */
export async function startKde(width: number, height: number, options: KdeOptions = {}): Promise<Kde> {
  const place = createDesktopFolder();
  const { folder } = place;
  const { program, events } = writeRecordingWindow(folder);
  const device = createDevice(join(folder, '../device'));
  const child = spawn(script, [folder, `--width ${width} --height ${height}`, 'gjs', program], {
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      XDG_DATA_DIRS: `${device.root}/usr/local/share:/usr/local/share:/usr/share`,
      ...(options.release && { DRAWBRIDGE_KDE: options.release }),
      ...(options.isOpen && { KWIN_WAYLAND_NO_PERMISSION_CHECKS: '1' }),
    },
  });
  await eventually(events, (found) => found.includes('active true'));
  return {
    events,
    folder,
    root: device.root,
    press: (code) => pressKey(folder, code),
    async [Symbol.asyncDispose]() {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const ended = isOver ? undefined : once(child, 'exit');
      if (!isOver) process.kill(-child.pid!, 'SIGKILL');
      await ended;
      device[Symbol.dispose]();
      place[Symbol.dispose]();
    },
  };
}

/** The file system of a device that has KWin, as far as the agent installs something for it. */
function createDevice(root: string): { root: string } & Disposable {
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  writeFileSync(join(root, 'usr/bin/kwin_wayland'), '');
  process.env[grantRootSetting] = root;
  return { root, [Symbol.dispose]: () => delete process.env[grantRootSetting] };
}
