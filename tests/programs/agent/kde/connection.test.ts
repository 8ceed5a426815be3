/** Connections to KWin, which the test plays: who gets one. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFrameMemory } from '@drawbridge/agent/platform/linux/wayland/frame-memory';
import { kdePath } from '@drawbridge/agent/platform/linux/wayland/kde/path';
import { createDesktopFolder } from '../../../kit/display/desktop-of-another-user.ts';
import { offeredToAll, offeredToGranted, playKwin } from './played-kwin.ts';

/** Sets variables of this process until the end of the test. */
function useEnvironment(variables: Record<string, string>): Disposable {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  return {
    [Symbol.dispose]() {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
    },
  };
}

test('two who open the desktop at the same time do not share a connection to KWin', async () => {
  using place = createDesktopFolder();
  using _ = useEnvironment({
    XDG_RUNTIME_DIR: place.folder,
    WAYLAND_DISPLAY: 'wayland-0',
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${place.folder}/none`,
  });
  await using kwin = await playKwin(join(place.folder, 'wayland-0'), [...offeredToAll, ...offeredToGranted]);
  const memory = await createFrameMemory();
  const tokens = { read: () => undefined, keep: () => {} };

  await kdePath.warnings();
  const found = kwin.connections();
  // They end there, because nobody has started a session bus.
  const opened = await Promise.allSettled([kdePath.open(memory, tokens), kdePath.open(memory, tokens)]);
  memory.close();

  assert.equal(found, 1);
  assert.deepEqual(
    opened.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(kwin.connections(), 2);
});
