/** A device and its operators at a real relay: who gets in, what they may do, and how sessions end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '@drawbridge/contract/session/problem';
import { encodeNumber, encodeDataChunk, encodePointer } from '@drawbridge/contract/session/binary-frames';
import { encodeMessage } from '@drawbridge/contract/session/messages';
import { createDeviceKey } from '@drawbridge/agent/uplink/keys';
import type { Banner, Desktop } from '@drawbridge/agent/platform/desktop';
import { NotPossible, type Platform } from '@drawbridge/agent/platform/platform';
import { createGrantReader } from '@drawbridge/session/grant';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { createManualClock } from '../../kit/session/manual-clock.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

/** A person at the device who sees a banner and answers questions, without a screen. */
function person(answer: (question: string, signal?: AbortSignal) => Promise<boolean> = async () => true) {
  const shown = { banner: undefined as string | undefined, stop: () => {}, questions: [] as string[] };
  const banner = (text: string): Banner => {
    shown.banner = text;
    return {
      onStop: (listener) => void (shown.stop = listener),
      setText: (next) => void (shown.banner = next),
      close: () => void (shown.banner = undefined),
    };
  };
  const desktop: Partial<Desktop> = {
    onClose: () => {},
    banner: async (text) => banner(text),
    ask(question, _seconds, signal) {
      shown.questions.push(question);
      return answer(question, signal);
    },
    close: () => {},
  };
  return { ...shown, shown, desktop: async () => desktop as Desktop };
}

/** A feature that handles some kinds and records them. */
function noting() {
  const received: string[] = [];
  const part: FeatureFactory = (featureContext) => ({
    handlers: {
      pointer: () => void received.push(`${featureContext.operator.name} pointer`),
      view: () => void received.push(`${featureContext.operator.name} view`),
      chat: (payload) => featureContext.send('chat', payload),
      terminal_bytes: () => void received.push(`${featureContext.operator.name} terminal_bytes`),
    },
    releaseInput: () => void received.push(`${featureContext.operator.name} rests`),
    stop: () => void received.push(`${featureContext.operator.name} stops`),
  });
  return { received, parts: [part] };
}

const nobody = (): Partial<Platform> => ({
  desktop: async () => {
    throw new NotPossible('Nobody is using a screen on this device.');
  },
});

test('operator and device meet, show the same code, and what the grant allows is done', async () => {
  const { shown, desktop } = person();
  const { received, parts } = noting();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts,
  });
  await using ann = fixture.meet({ permissions: ['agent_connect', 'agent_chat', 'agent_reboot'] });

  const state = await ann.until('state');
  ann.sendMessage('view', { monitor: 0 });
  ann.send('pointer', encodePointer({ x: 1, y: 1, buttons: 0 }));
  ann.sendMessage('chat', { text: 'hello', name: 'ann' });
  ann.send('ping', encodeNumber(7));
  const refused = await ann.until('refused');
  const chat = await ann.until('chat');
  await eventually(
    () => ann.received.map(({ kind }) => kind),
    (kinds) => kinds.includes('pong'),
  );

  assert.deepEqual(
    [state.phase, state.permissions, state.os],
    ['live', ['agent_connect', 'agent_chat'], 'linux'],
  );
  assert.deepEqual(state.unable, { agent_reboot: 'This agent cannot do that.' });
  assert.equal(shown.banner, `ann@example.com is connected to this computer  ·  ${ann.code()}`);
  assert.match(ann.code(), /^\d{4} \d{4} \d{4}$/);
  assert.deepEqual([refused.kind, chat.text, received], ['pointer', 'hello', ['ann@example.com view']]);
});

test('the person at the device ends the session with one press, and the operator reads who did', async () => {
  const { shown, desktop } = person();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts: noting().parts,
  });
  await using ann = fixture.meet();
  await ann.until('state');

  shown.stop();
  const end = await ann.until('end');
  await ann.gone;

  assert.deepEqual(
    [end.by, end.message, end.back],
    ['device', 'The person at the device ended the session.', false],
  );
  await eventually(
    () => shown.banner,
    (text) => text === undefined,
  );
});

test('the person is asked if the grant says so: a refusal ends the session before anything is shown', async () => {
  const { shown, desktop } = person(async () => false);
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts: noting().parts,
  });
  await using ann = fixture.meet({ confirm: true, name: 'Ann\u202e\n<b>' });

  await ann.until('end');
  await ann.gone;

  assert.deepEqual(
    ann.messages('state').map(({ phase }) => phase),
    ['asking', 'refused'],
  );
  assert.deepEqual(shown.questions, [
    'Ann <b> (192.0.2.1) wants to see the screen of this computer, use its mouse and keyboard, run commands on it, read and change its files, read and change its clipboard, black out its screen and restart it',
  ]);
  assert.equal(shown.banner, undefined);
});

test('the reason for access stands in the question and then in the banner, in plain text', async () => {
  const { shown, desktop } = person();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts: noting().parts,
  });
  const permissions = ['agent_connect'];
  await using ann = fixture.meet({
    permissions,
    confirm: true,
    grant: { reason: 'Ticket 77\u202e\nnow' },
  });

  await eventually(
    () => shown.banner,
    (banner) => banner !== undefined,
  );

  const asked = 'ann@example.com (192.0.2.1) wants to see the screen of this computer. Reason: Ticket 77 now';
  assert.deepEqual(shown.questions, [asked]);
  assert.equal(
    shown.banner,
    `ann@example.com is connected to this computer: Ticket 77 now  ·  ${ann.code()}`,
  );
});

test('if nobody can be asked, the session is refused with a sentence', async () => {
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', nobody()),
    parts: noting().parts,
  });
  await using ann = fixture.meet({ confirm: true });

  const refused = await ann.until('state', ({ phase }) => phase === 'refused');

  assert.match(refused.message, /^Nobody at the device can be asked\. Nobody is using a screen/);
});

test('a question is withdrawn when the operator leaves', async () => {
  let given: AbortSignal | undefined;
  const { desktop } = person((_question, signal) => {
    given = signal;
    return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(false)));
  });
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts: noting().parts,
  });
  await using ann = fixture.meet({ confirm: true });
  await ann.until('state', ({ phase }) => phase === 'asking');

  ann.leave();

  await eventually(
    () => given?.aborted,
    (aborted) => aborted === true,
  );
  await eventually(
    () => fixture.lines.join('\n'),
    (lines) => lines.includes('ended:'),
  );
});

test('without a display only what needs none is done, and the log says that nothing is shown', async () => {
  const { received, parts } = noting();
  await using fixture = await openSessionFixture({ platform: createFakePlatform('rack', nobody()), parts });
  await using ann = fixture.meet();

  const state = await ann.until('state');
  ann.sendMessage('view', { monitor: 0 });
  ann.send('terminal_bytes', encodeDataChunk({ id: 1, at: 0, data: Uint8Array.of(1) }));
  const refused = await ann.until('refused');
  await eventually(
    () => received,
    (all) => all.includes('ann@example.com terminal_bytes'),
  );

  assert.deepEqual(state.permissions, ['agent_terminal_mode']);
  assert.deepEqual([refused.kind, refused.message], ['view', 'Nobody is using a screen on this device.']);
  assert.ok(fixture.lines.some((line) => line.includes('the banner is not shown on the device')));
});

test('two operators see each other, one takes mouse and keyboard, hands them over and leaves', async () => {
  const { shown, desktop } = person();
  const { received, parts } = noting();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts,
  });
  await using ann = fixture.meet({ name: 'ann' });
  await ann.until('state');
  await using bob = fixture.meet({ name: 'bob' });
  await bob.until('state');
  const both = await ann.until('people', ({ people }) => people.length === 2);
  const move = encodePointer({ x: 1, y: 1, buttons: 0 });

  ann.sendMessage('drive', { to: 'me' });
  await bob.until('people', ({ people }) => people.some(({ driver }) => driver));
  bob.send('pointer', move);
  const refused = await bob.until('refused');
  ann.sendMessage('drive', { to: both.people.find(({ you }) => !you)!.seat });
  await bob.until('people', ({ people }) => people.some(({ driver, you }) => driver && you));
  bob.send('pointer', move);
  await eventually(
    () => received,
    (all) => all.includes('bob pointer'),
  );
  const lines = shown.banner!.split('\n').length;
  bob.sendMessage('end', { by: 'operator', message: '', back: false });
  await ann.until('people', ({ people }) => people.length === 1 && !people[0]!.driver);

  assert.deepEqual([refused.kind, refused.message], ['pointer', 'ann controls the mouse and keyboard.']);
  assert.equal(lines, 2);
  assert.deepEqual(
    received.filter((what) => what.includes('pointer')),
    ['bob pointer'],
  );
  await eventually(
    () => shown.banner?.split('\n').length,
    (left) => left === 1,
  );
});

test('a session is ended by its number, and one that is resumed replaces the old one', async () => {
  const { desktop } = person();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts: noting().parts,
  });
  await using first = fixture.meet({ session: 5 });
  await first.until('state');
  await using second = fixture.meet({ session: 5 });
  const replaced = await first.until('end');
  await second.until('state');

  fixture.sessions.end(4, 'Another.');
  fixture.sessions.end(5, 'Your rights were taken.');
  const end = await second.until('end');

  assert.deepEqual([replaced.by, replaced.back], ['server', true]);
  assert.deepEqual([end.by, end.message, end.back], ['server', 'Your rights were taken.', false]);
});

test('an operator who sends frames of a device, or malformed frames, is disconnected', async () => {
  const { desktop } = person();
  const { received, parts } = noting();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts,
  });
  const attempts = [
    ['pointer', Uint8Array.of(1, 2, 3)],
    ['view', new TextEncoder().encode('{"monitor":"all"}')],
    ['confirm', encodeMessage('confirm', { version: 1 })],
    ['rekey', Uint8Array.of(1)],
  ] as const;

  for (const [kind, payload] of attempts) {
    await using ann = fixture.meet();
    await ann.until('state');
    ann.send(kind, payload);
    assert.equal((await ann.until('end')).by, 'fault', kind);
    await ann.gone;
  }
  assert.deepEqual(
    received.filter((what) => !/stops|rests/.test(what)),
    [],
  );
});

test('grants that are foreign, forged, for another device, too old, too early or used are refused', async () => {
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', nobody()),
    parts: [],
  });
  const now = Math.floor(Date.now() / 1_000);
  const known = { serverKey: fixture.serverKey.publicKey, deviceKey: fixture.deviceKey.publicKey, now };
  const reader = createGrantReader(nodeCrypto);
  const read = async (text: string, some: Partial<typeof known> = {}): Promise<string> => {
    const grant = await reader.read(text, { ...known, ...some });
    return isProblem(grant) ? grant.message : 'good';
  };
  const grantOf = (grant = {}): string => fixture.invite({ grant }).input.grant;
  const used = grantOf();
  const forged = grantOf().replace(/^./, (first) => (first === 'e' ? 'f' : 'e'));
  const { ticket } = fixture.invite().input;

  const outcomes = {
    good: await read(used),
    again: await read(used),
    foreign: await read(grantOf(), { serverKey: createDeviceKey().publicKey }),
    unknownServer: await read(grantOf(), { serverKey: '' }),
    forged: await read(forged),
    ticket: await read(ticket),
    nonsense: await read('a.b'),
    otherDevice: await read(grantOf({ device_key: createDeviceKey().publicKey })),
    expired: await read(grantOf({ nbf: now - 400, exp: now - 301 })),
    early: await read(grantOf({ nbf: now + 302, exp: now + 362 })),
    skewed: await read(grantOf({ nbf: now - 300, exp: now - 240 })),
  };

  const unsigned = 'The grant is not signed by the server of this device.';
  const timeless = 'The grant has expired, or the clock of the device is wrong.';
  assert.deepEqual(outcomes, {
    good: 'good',
    again: 'The grant was used before.',
    foreign: unsigned,
    unknownServer: unsigned,
    forged: unsigned,
    ticket: unsigned,
    nonsense: unsigned,
    otherDevice: 'The grant is for another device.',
    expired: timeless,
    early: timeless,
    skewed: 'good',
  });
});

test('a relay without TLS, or with an unknown certificate, receives nothing', async () => {
  const { desktop } = person();
  await using fixture = await openSessionFixture({
    platform: createFakePlatform('desk', { desktop }),
    parts: [],
  });
  await using outsider = await openSessionFixture({
    platform: createFakePlatform('other', { desktop }),
    parts: [],
  });
  const { relay } = outsider.invite().input;

  await assert.rejects(
    fixture.sessions.open({ ...fixture.invite().input, relay: 'ws://localhost:1/relay' }),
    NotPossible,
  );
  await fixture.sessions.open({ ...fixture.invite().input, relay });

  await eventually(
    () => fixture.lines.join('\n'),
    (lines) => lines.includes('certificate of the relay is not trusted'),
  );
});

test('an operator who is silent for fifteen seconds is disconnected', async () => {
  const { desktop } = person();
  const platform = createFakePlatform('desk', { desktop });
  const clock = createManualClock();
  await using fixture = await openSessionFixture({ platform, parts: noting().parts, clock });
  await using ann = fixture.meet();
  await ann.until('state');

  clock.advance(14_900);
  const before = fixture.lines.some((line) => line.includes('ended:'));
  clock.advance(101);
  const end = await ann.until('end');

  assert.deepEqual([before, end.by, end.message], [false, 'fault', 'The operator stopped responding.']);
});
