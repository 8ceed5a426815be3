/** What the agent opens on the device before the first session: the screen once, where nobody has to agree to that. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import type { Approvals } from '@drawbridge/agent/four-eyes/approvals';
import { linux } from '@drawbridge/agent/platform/linux';
import { runtimeFoldersSetting } from '@drawbridge/agent/platform/linux/wayland/wayland-session';
import { createLazySessions } from '@drawbridge/agent/session/lazy-sessions';
import { createFakePlatform } from '../../../kit/agent/fake-platform.ts';
import { openDisplaySockets, type DisplaySockets } from '../../../kit/display/display-sockets.ts';
import { startDisplay, type TestDisplay } from '../../../kit/display/display.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('Xvfb');

/** Whether an agent with these rules opens the screen when it has started. */
async function opensScreen(t: TestContext, rules: { confirm: Policy['confirm']; fourEyes: boolean }) {
  const asked = Promise.withResolvers<boolean>();
  const preload = async (options: { opensScreen: boolean }): Promise<void> =>
    asked.resolve(options.opensScreen);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  createLazySessions({
    identity: () => ({ publicKey: '', privateKey: '', serverKey: '' }),
    certificates: () => [],
    platform: createFakePlatform('desk', { preload }),
    policy: () => ({ ...defaultPolicy, confirm: rules.confirm }),
    approvals: { isRequired: () => rules.fourEyes } as Approvals,
    now: () => 0,
    log() {},
  });
  t.mock.timers.tick(2_000);
  t.mock.timers.reset();
  return asked.promise;
}

test('the screen is opened ahead, except where a person must agree to every session', async (t) => {
  assert.equal(await opensScreen(t, { confirm: 'never', fourEyes: false }), true);
  assert.equal(await opensScreen(t, { confirm: 'ask', fourEyes: false }), true);
  assert.equal(await opensScreen(t, { confirm: 'always', fourEyes: false }), false);
  assert.equal(await opensScreen(t, { confirm: 'never', fourEyes: true }), false);
});

/** A socket of a display that counts the connections it passes on. */
async function countConnections(display: TestDisplay, sockets: DisplaySockets) {
  const counts = { all: 0, open: 0 };
  const server = createServer((client) => {
    counts.all += 1;
    counts.open += 1;
    const real = connect(`/tmp/.X11-unix/X${display.name.slice(1)}`);
    client.pipe(real).pipe(client);
    client.once('close', () => (real.destroy(), (counts.open -= 1)));
    for (const each of [client, real]) each.on('error', () => each.destroy());
  }).listen(join(sockets.folder, 'X7'));
  await once(server, 'listening');
  delete process.env['DISPLAY'];
  return { counts, [Symbol.dispose]: () => void server.close() };
}

/** Makes this process find a Wayland desktop of its own user. */
async function pretendWayland(): Promise<Disposable> {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-runtime-'));
  const folder = join(parent, String(process.getuid!()));
  mkdirSync(folder);
  const server = createServer().listen(join(folder, 'listening'));
  await once(server, 'listening');
  renameSync(join(folder, 'listening'), join(folder, 'wayland-0'));
  process.env[runtimeFoldersSetting] = parent;
  return {
    [Symbol.dispose]() {
      delete process.env[runtimeFoldersSetting];
      server.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

test(
  'the X11 screen is opened once and closed again, and not at all if it is not wanted',
  { skip },
  async () => {
    using sockets = openDisplaySockets();
    await using display = await startDisplay(410, 300);
    using proxy = await countConnections(display, sockets);
    const { preload } = linux(assert.fail);

    await preload({ opensScreen: false });
    assert.deepEqual(proxy.counts, { all: 0, open: 0 });

    await preload({ opensScreen: true });
    await eventually(
      () => proxy.counts,
      ({ open }) => open === 0,
    );
    assert.equal(proxy.counts.all, 1);
  },
);

test('where somebody uses Wayland, no display is opened ahead', { skip }, async () => {
  using sockets = openDisplaySockets();
  await using display = await startDisplay(410, 300);
  using proxy = await countConnections(display, sockets);
  using _ = await pretendWayland();

  await linux(assert.fail).preload({ opensScreen: true });

  assert.equal(proxy.counts.all, 0);
});
