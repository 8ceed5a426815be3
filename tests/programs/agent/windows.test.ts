/**
 * What the person at the device sees and can press: the question, the banner with its button, the chat, the
 * black screen.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { encodePointer } from '@drawbridge/contract/session/binary-frames';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { linux } from '@drawbridge/agent/platform/linux';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { chatFeature } from '@drawbridge/agent/session/features/chat';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { shieldFeature } from '@drawbridge/agent/session/features/shield';
import type x11 from 'x11';
import {
  clickOnDisplay,
  findWindow,
  focusByClick,
  runOnDisplay,
} from '../../kit/display/desktop-programs.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { setGamma } from '../../kit/display/gamma.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-windows-'));
process.env['DRAWBRIDGE_AGENT_DATA'] = folder;
after(() => rmSync(folder, { recursive: true, force: true }));
const platform = () => createFakePlatform('desk', { desktop: openDesktop });

test('the button on the banner ends the session', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
  await using ann = fixture.meet();
  await ann.until('state');
  const banner = await findWindow('Drawbridge');

  await clickOnDisplay(banner.x + banner.width - 20, banner.y + Math.floor(banner.height / 2));
  const end = await ann.until('end');

  assert.deepEqual([end.by, end.message], ['device', 'The person at the device ended the session.']);
  assert.deepEqual([banner.y < 2, Math.abs(banner.x + banner.width / 2 - 500) < 2], [true, true]);
});

test('the banner returns to the top when a window covers it', { skip }, async () => {
  await using display = await startDisplay(1_000, 700);
  await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
  await using ann = fixture.meet();
  await ann.until('state');
  const { x, width } = await findWindow('Drawbridge');
  const { client, root } = display.connection;
  const cover = client.AllocID();
  client.CreateWindow(cover, root, 0, 0, 1_000, 700, 0, 0, 0, 0, {
    backgroundPixel: 0xffffff,
    overrideRedirect: true,
  });
  client.MapWindow(cover);

  const stopRed = 0xdc2626;
  await eventually(
    async () => (await display.pixels())[10 * 1_000 + x + width - 55],
    (pixel) => pixel === stopRed,
  );
});

for (const [answer, phases] of [
  ['Allow', ['asking', 'live']],
  ['Decline', ['asking', 'refused']],
] as const)
  test(`pressing ${answer} decides`, { skip }, async () => {
    await using _display = await startDisplay(1_000, 700);
    await using fixture = await openSessionFixture({ platform: platform(), parts: [controlFeature] });
    await using ann = fixture.meet({ confirm: true });
    const { x, y, width, height } = await findWindow('Drawbridge request');
    const fromRight = answer === 'Allow' ? 16 + 120 + 16 + 60 : 16 + 60;

    await eventually(
      async () => {
        await clickOnDisplay(x + width - fromRight, y + height - 16 - 18);
        return ann.messages('state').length;
      },
      (states) => states === 2,
    );

    assert.deepEqual(
      ann.messages('state').map(({ phase }) => phase),
      phases,
    );
  });

test('a question that nobody answers is declined after its timeout', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  const desktop = await openDesktop();

  const answered = await desktop.ask('Somebody wants to see this computer', 1);

  assert.equal(answered, false);
  desktop.close();
});

test('a notice stays on the screen until the person has read it, or the agent stops', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  const { notify: tell } = linux(async () => '');
  let isRead = false;
  const shown = tell('This device was unlinked from its Drawbridge account.').then(() => (isRead = true));
  const { x, y, width, height } = await findWindow('Drawbridge notice');
  const wasRead = isRead;

  await eventually(
    async () => {
      await clickOnDisplay(x + width - 16 - 60, y + height - 16 - 18);
      return isRead;
    },
    (read) => read,
  );
  await shown;
  const stopping = new AbortController();
  const unread = tell('This device was unlinked from its Drawbridge account.', stopping.signal);
  await findWindow('Drawbridge notice');
  stopping.abort();
  await unread;

  assert.equal(wasRead, false);
});

test('a chat message is shown, and the person answers it', { skip }, async () => {
  await using _display = await startDisplay(1_000, 700);
  await using fixture = await openSessionFixture({ platform: platform(), parts: [chatFeature] });
  await using ann = fixture.meet();
  await ann.until('state');
  await using bob = fixture.meet({ name: 'bob' });
  await bob.until('state');

  ann.sendMessage('chat', { text: 'Do you see me?', name: 'somebody else' });
  const passedOn = await bob.until('chat');
  const { x, y, height } = await findWindow('Drawbridge chat');
  await focusByClick('Drawbridge chat', x + 30, y + height - 18);
  await runOnDisplay('xdotool', 'type', '--delay', '20', 'Yes, Ann!');
  await runOnDisplay('xdotool', 'key', 'Return');
  const reply = await ann.until('chat');
  await bob.until('chat', ({ name }) => name === 'ann');

  assert.deepEqual(passedOn, { text: 'Do you see me?', name: 'ann@example.com' });
  assert.deepEqual(reply, { text: 'Yes, Ann!', name: 'ann' });
});

async function floating({ connection }: TestDisplay): Promise<string[]> {
  const xinput = await connection.extension('xinput');
  const devices = await connection.call<x11.InputDevice[]>((done) => xinput.XIQueryDevice(0, done));
  return devices.filter(({ use }) => use === 5).map(({ name }) => name);
}

test(
  'the person gets a black screen and blocked input while the operator continues; both are lifted at the end',
  { skip },
  async () => {
    await using display = await startDisplay(1_000, 700);
    await using fixture = await openSessionFixture({
      platform: platform(),
      parts: [controlFeature, shieldFeature],
    });
    await using ann = fixture.meet();
    await ann.until('state');
    const before = await setGamma(display, 51_000);
    const { client, root, call } = display.connection;

    ann.sendMessage('shield', { on: true });
    await eventually(
      () => setGamma(display),
      (gamma) => gamma === 0,
    );
    const resting = await floating(display);
    ann.send('pointer', encodePointer({ x: 77, y: 88, buttons: 0 }));
    const moved = await eventually(
      () => call<{ rootX: number; rootY: number }>((done) => client.QueryPointer(root, done)),
      ({ rootX }) => rootX === 77,
    );
    ann.leave();
    const restored = await eventually(
      () => setGamma(display),
      (gamma) => gamma > 0,
    );

    assert.deepEqual(resting, ['Xvfb mouse', 'Xvfb keyboard']);
    assert.deepEqual([moved.rootX, moved.rootY], [77, 88]);
    assert.deepEqual([before, restored], [51_000, 51_000]);
    await eventually(
      () => floating(display),
      (names) => names.length === 0,
    );
    assert.deepEqual(ann.messages('refused'), []);
  },
);

const isBlackBy = ({ people }: SessionMessage<'people'>): string[] =>
  people.flatMap(({ name, shield: up }) => (up ? name : []));

test(
  'everyone who is connected learns who blacked out the screen and when it ends, and nobody else can lift it',
  { skip },
  async () => {
    await using display = await startDisplay(1_000, 700);
    await using fixture = await openSessionFixture({
      platform: platform(),
      parts: [controlFeature, shieldFeature],
    });
    await using ann = fixture.meet({ name: 'ann' });
    await using bob = fixture.meet({ name: 'bob' });
    await ann.until('people', ({ people }) => people.length === 2);
    const atFirst = ann.messages('people').map((word) => word.people.map(({ shield: up }) => up));

    ann.sendMessage('shield', { on: true });
    await ann.until('people', (word) => isBlackBy(word).includes('ann'));
    const gammaWhenTold = await setGamma(display);
    await bob.until('people', (word) => isBlackBy(word).includes('ann'));
    bob.sendMessage('shield', { on: true });
    bob.sendMessage('shield', { on: false });
    await eventually(
      () => bob.messages('refused').length,
      (count) => count === 2,
    );
    const gammaAfterBob = await setGamma(display);
    ann.sendMessage('shield', { on: false });
    const lifted = await eventually(
      () => isBlackBy(bob.messages('people').at(-1)!),
      (names) => names.length === 0,
    );

    assert.ok(atFirst.flat().every((up) => up === false));
    assert.deepEqual([gammaWhenTold, gammaAfterBob, lifted], [0, 0, []]);
    assert.deepEqual(
      bob.messages('refused').map(({ kind, message }) => `${kind}: ${message}`),
      Array<string>(2).fill('shield: ann has blacked out the screen.'),
    );
    bob.sendMessage('shield', { on: true });
    await bob.until('people', (word) => isBlackBy(word).includes('bob'));
    assert.deepEqual(ann.messages('refused'), []);
  },
);

test('if the screen cannot be blacked out the operator reads why, and nobody is told that it is black', async () => {
  const desktop = {
    onClose: () => {},
    banner: async () => ({ onStop: () => {}, setText: () => {}, close: () => {} }),
    shield: async () => {
      throw new NotPossible(
        'The screen of the device cannot be blacked out because its graphics driver does not support gamma.',
      );
    },
    close: () => {},
  } as unknown as Desktop;
  const fakePlatform = createFakePlatform('desk', { desktop: async () => desktop });
  await using fixture = await openSessionFixture({ platform: fakePlatform, parts: [shieldFeature] });
  await using ann = fixture.meet();
  await ann.until('people');

  ann.sendMessage('shield', { on: true });
  const refused = await ann.until('refused');

  assert.deepEqual(
    [refused.kind, refused.message],
    [
      'shield',
      'The screen of the device cannot be blacked out because its graphics driver does not support gamma.',
    ],
  );
  assert.deepEqual(ann.messages('people').flatMap(isBlackBy), []);
});

test('losing a display behind a black screen is reported at once', { skip }, async () => {
  await using fixture = await openSessionFixture({
    platform: platform(),
    parts: [controlFeature, shieldFeature],
  });
  const display = await startDisplay(1_000, 700);
  await using ann = fixture.meet({ name: 'ann' });
  await ann.until('people');
  ann.sendMessage('shield', { on: true });
  await ann.until('people', (word) => isBlackBy(word).includes('ann'));

  await display[Symbol.asyncDispose]();
  const left = await eventually(
    () => isBlackBy(ann.messages('people').at(-1)!),
    (names) => names.length === 0,
  );

  assert.deepEqual(left, []);
  rmSync(join(folder, 'shielded'), { force: true });
});

const blackOut = `import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
  await (await openDesktop()).shield();
  console.log('black');
  setInterval(() => {}, 1_000);`;

test(
  'an agent that was killed behind a black screen restores the picture when it starts again',
  { skip },
  async () => {
    await using display = await startDisplay(1_000, 700);
    const killed = spawn(process.execPath, ['--input-type=module', '-e', blackOut], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const left = await setGamma(display);
    const agent = linux(async () => '');

    await agent.recover();

    assert.deepEqual([left, await setGamma(display)], [0, 0xffff]);
    assert.deepEqual(readdirSync(folder), []);
  },
);
