/** A real KWin with the portal of KDE, without a physical screen and without a graphics card, which it needs to share its screen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectToCompositor } from '@drawbridge/agent/platform/linux/wayland/wire/connection';
import { eventually } from '../eventually.ts';
import { createDesktopFolder } from './desktop-of-another-user.ts';
import { writeRecordingWindow, type RecordingWindow } from './recording-window.ts';

export interface Kde extends AsyncDisposable, Pick<RecordingWindow, 'events'> {
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

/** Makes it the desktop that the agent in this process finds. Needs root. */
export async function startKde(width: number, height: number): Promise<Kde> {
  const place = createDesktopFolder();
  const { folder } = place;
  const { program, events } = writeRecordingWindow(folder);
  const child = spawn(script, [folder, `--width ${width} --height ${height}`, 'gjs', program], {
    detached: true,
    stdio: 'ignore',
    // Lets the test press keys as a keyboard would.
    env: { ...process.env, KWIN_WAYLAND_NO_PERMISSION_CHECKS: '1' },
  });
  await eventually(events, (found) => found.includes('active true'));
  return {
    events,
    press: (code) => pressKey(folder, code),
    async [Symbol.asyncDispose]() {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const ended = isOver ? undefined : once(child, 'exit');
      if (!isOver) process.kill(-child.pid!, 'SIGKILL');
      await ended;
      place[Symbol.dispose]();
    },
  };
}
