/** Every kind of frame, one row each: what a page and an agent must be able to do with it, whichever versions they have. */
import assert from 'node:assert/strict';
import { frameKinds, sessionPermissions, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { rekeySeconds } from '@drawbridge/contract/session/handshake';
import type { Grant } from '@drawbridge/contract/session/signed';
import { eventually } from '../../kit/eventually.ts';
import { tapSockets } from '../../kit/session/relay-tap.ts';
import { soon, untilDone, untilPhase, type ConnectedPair } from './connected-pair.ts';
import { fileDragChecks } from './file-drag-checks.ts';
import { printingChecks } from './printing-checks.ts';
import { callChecks, fileChecks, screenChecks, terminalChecks } from './stream-checks.ts';

export interface PairCheck {
  /** What the grant of the session says in addition. */
  grant?: (fixture: ConnectedPair['fixture']) => Partial<Grant>;
  /** Called when the session is live. */
  check(pair: ConnectedPair): Promise<void>;
}

type Check = PairCheck['check'];

/** Moves the monotonic clock of both sides on, until it is disposed. */
function moveClock(ms: number): Disposable {
  const { now } = performance;
  performance.now = () => now.call(performance) + ms;
  return { [Symbol.dispose]: () => void (performance.now = now) };
}

/** Uses the connection in both directions. */
async function copyBothWays(pair: ConnectedPair, text: string): Promise<void> {
  const { session, device, received } = pair;
  assert.ok(session.send('clipboard', { text: `${text} on the page` }));
  await untilDone(pair, `clipboard ${text} on the page`);
  device.events.copy(`${text} on the device`);
  await received.until('clipboard', (clipboard) => clipboard.text === `${text} on the device`);
}

const sends =
  (send: (session: ConnectedPair['session']) => boolean, ...done: string[]): Check =>
  async (pair) => {
    assert.ok(send(pair.session));
    for (const what of done) await untilDone(pair, what);
  };

const protocolChecks = {
  /** Both derive the same code from the same keys. */
  async hello({ session, device }: ConnectedPair) {
    assert.match(session.code, /^\d{4} \d{4} \d{4}$/);
    assert.ok(device.done.some((what) => what.startsWith('banner ') && what.includes(session.code)));
  },
  /** The device starts nothing before it. */
  async confirm({ fixture, number }: ConnectedPair) {
    assert.ok(
      fixture.lines.some((line) => line.startsWith(`session ${number}: started with ann@example.com`)),
    );
  },
  async state({ session }: ConnectedPair) {
    const { permissions, unable, recording, device } = session;
    const able = sessionPermissions.filter((permission) => permission !== 'agent_app_install_request');
    assert.deepEqual([...permissions], able);
    assert.deepEqual(Object.keys(unable), ['agent_app_install_request']);
    assert.deepEqual([recording, device.os, device.home], [false, 'linux', '/']);
  },
  async end({ session, fixture, number }: ConnectedPair) {
    fixture.sessions.end(number, 'The permissions of this session have changed.');
    await session.ended;
    const { phase, by, message } = session.state;
    assert.deepEqual(
      [phase, by, message],
      ['ended', 'server', 'The permissions of this session have changed.'],
    );
  },
  async ping({ session }: ConnectedPair) {
    await soon(
      () => session.roundTrip,
      (ms) => ms !== undefined,
    );
  },
  async pong({ received }: ConnectedPair) {
    assert.equal(await received.until('pong'), 1);
  },
  async people({ received }: ConnectedPair) {
    const { people } = await received.until('people');
    assert.deepEqual(
      people.map(({ name, you, driver, shield }) => [name, you, driver, shield]),
      [['ann@example.com', true, false, false]],
    );
  },
  async refused({ session, received }: ConnectedPair) {
    session.send('drive', { to: 99 });
    const { kind, message } = await received.until('refused');
    assert.deepEqual([kind, message === ''], ['drive', false]);
  },
  direct: {
    grant: () => ({ ice: [] }),
    async check(pair: ConnectedPair) {
      // Without the limit of the other checks: a lost packet of the handshake is sent again after 1, 3, 7 and 15 seconds.
      await eventually(
        () => pair.session.transport,
        (transport) => transport === 'direct',
      );
      await copyBothWays(pair, 'direct');
      await fileChecks.file_bytes(pair);
    },
  },
  /** The relay sees the kinds: one of the page, which arrives at the device again, and one of the device. */
  async rekey(pair: ConnectedPair) {
    using tap = tapSockets();
    using _later = moveClock((rekeySeconds + 1) * 1_000);
    await copyBothWays(pair, 'first');
    await copyBothWays(pair, 'second');
    assert.equal(tap.messages().filter(([byte]) => byte === frameKinds.rekey.byte).length, 3);
  },
};

const inputChecks = {
  pointer: sends((session) => session.send('pointer', { x: 11, y: 12, buttons: 1 }), 'pointer 11 12 1'),
  wheel: sends(
    (session) => session.send('wheel', { x: 13, y: 14, deltaX: -120, deltaY: 240 }),
    'pointer 13 14 0',
    'wheel -120 240',
  ),
  key: sends((session) => session.send('key', { down: true, code: 'KeyZ', key: 'ä' }), 'key true KeyZ ä'),
  text: sends((session) => session.send('text', { text: 'Grüße' }), 'text Grüße'),
  resize: sends((session) => session.send('resize', { width: 800, height: 600 }), 'resize 800 600'),
  async drive({ session, received }: ConnectedPair) {
    session.send('drive', { to: 'me' });
    await received.until('people', ({ people }) => people.some(({ driver, you }) => driver && you));
  },
  clipboard: (pair: ConnectedPair) => copyBothWays(pair, 'copied'),
};

const deviceChecks = {
  async chat(pair: ConnectedPair) {
    const { session, received, device } = pair;
    session.send('chat', { text: 'Hello', name: 'anyone' });
    await untilDone(pair, 'chat ann@example.com Hello');
    device.events.reply('Good morning');
    assert.deepEqual(await received.until('chat'), { name: 'ann', text: 'Good morning' });
  },
  lock: sends((session) => session.send('lock', {}), 'lock'),
  async shield(pair: ConnectedPair) {
    const { session, received } = pair;
    session.send('shield', { on: true });
    await received.until('people', ({ people }) => people.some(({ shield }) => shield));
    session.send('shield', { on: false });
    await untilDone(pair, 'shield off');
  },
  async reboot(pair: ConnectedPair) {
    const { session } = pair;
    session.send('reboot', { safe: true });
    await untilDone(pair, 'reboot safe');
    await untilPhase(session, 'reconnecting');
    assert.equal(session.state.message, 'The device is rebooting.');
    await untilPhase(session, 'live');
  },
  software: sends((session) => session.send('software', {})),
  async programs({ session, received }: ConnectedPair) {
    session.send('software', {});
    const { programs } = await received.until('programs');
    assert.deepEqual(programs, [{ name: 'bash', version: '5.2', publisher: 'GNU', install_date: '' }]);
  },
  /** Only clients of invitations install something; an agent says so. */
  async install({ session, received }: ConnectedPair) {
    session.send('install', { message: 'Please.' });
    await received.until('refused', ({ kind }) => kind === 'install');
  },
};

export const kindChecks: Record<FrameKindName, PairCheck | Check> = {
  ...protocolChecks,
  ...screenChecks,
  ...inputChecks,
  ...terminalChecks,
  ...fileChecks,
  ...callChecks,
  ...fileDragChecks,
  ...printingChecks,
  ...deviceChecks,
};

/** What is no kind of its own: how a session begins, is interrupted, recorded and limited. */
export const sessionChecks: Record<string, PairCheck> = {
  'the person is asked first': {
    grant: () => ({ confirm: true }),
    async check({ session, received, device }) {
      await received.until('state', ({ phase }) => phase === 'asking');
      assert.equal(session.state.phase, 'live');
      assert.ok(device.done.some((what) => what.startsWith('asked ')));
    },
  },
  'a lost connection is resumed': {
    async check(pair) {
      pair.fixture.cut();
      await untilPhase(pair.session, 'reconnecting');
      await untilPhase(pair.session, 'live');
      await copyBothWays(pair, 'resumed');
    },
  },
  'a recorded session says so and is uploaded': {
    grant: ({ recordings: { url }, deviceKey }) => ({
      record: { url, token: 'token', key: deviceKey.publicKey },
    }),
    async check({ session, received, fixture }) {
      assert.equal(session.recording, true);
      await received.until('layout');
      session.end();
      await soon(
        () => [...fixture.recordings.uploads],
        (uploads) => uploads.includes('/recordings/0'),
      );
    },
  },
  'a session with fewer permissions has only these': {
    grant: () => ({ permissions: ['agent_connect', 'agent_chat'] }),
    async check(pair) {
      const { session, received } = pair;
      assert.deepEqual([...session.permissions], ['agent_connect', 'agent_chat']);
      assert.deepEqual(
        [session.send('lock', {}), session.send('file', { do: 'list', id: 1, path: '/' })],
        [false, false],
      );
      await received.until('layout');
      await deviceChecks.chat(pair);
    },
  },
};
