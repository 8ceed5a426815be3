/** Connections to KWin, which the test plays: who gets one, and what is said where KWin grants nothing. */
import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeDesktops } from '@drawbridge/agent/platform/doctor';
import { createFrameMemory } from '@drawbridge/agent/platform/linux/wayland/frame-memory';
import { grantRootSetting } from '@drawbridge/agent/platform/linux/wayland/kde/grant';
import { kdePath } from '@drawbridge/agent/platform/linux/wayland/kde/path';
import { createDesktopFolder, nobody } from '../../../kit/display/desktop-of-another-user.ts';
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

test(
  'the doctor names what prevents that the copy of the agent for KDE is renewed',
  { skip: process.getuid?.() !== 0 && 'only root can start the helper of somebody else' },
  async () => {
    using place = createDesktopFolder();
    const root = join(place.folder, '../device');
    const applications = join(root, 'usr/local/share/applications');
    mkdirSync(applications, { recursive: true });
    writeFileSync(join(applications, 'drawbridge-desktop-helper.desktop'), '');
    writeFileSync(join(root, 'usr/local/lib'), 'no folder');
    using _ = useEnvironment({ [grantRootSetting]: root });
    const socket = join(place.folder, 'wayland-0');
    await using _kwin = await playKwin(socket, offeredToAll);
    chownSync(socket, nobody, nobody);
    const usual = process.title;
    // By this name the agent recognises KWin.
    process.title = 'kwin_wayland';

    const said = (await describeDesktops()).lines.join('\n');
    process.title = usual;

    assert.match(said, /KDE: KWin does not grant .* could not be renewed: ENOTDIR/);
    assert.doesNotMatch(said, /drawbridge-agent install/);
  },
);
