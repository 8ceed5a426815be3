/**
 * A hostile relay between the page's own code and a device: whatever it does, also to the very first frames,
 * the page ends the session.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { createClock } from '@drawbridge/session/clock';
import type { Clock } from '@drawbridge/session/ports';
import type { SessionApi } from '@drawbridge/session/operator/operator';
import { openSession, type OperatorSession } from '@drawbridge/session/operator/operator';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { createProblem } from '@drawbridge/contract/session/problem';
import type { ConnectionState } from '@drawbridge/session/operator/session';
import type { Tamper } from '../../kit/hostile/evil-relay.ts';
import { tamperAt, flipBit, frameTamperings } from '../../kit/hostile/frame-tampering.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture, type SessionFixture } from '../../kit/session/session-fixture.ts';

const desktop = {
  onClose: () => {},
  banner: async () => ({ onStop: () => {}, setText: () => {}, close: () => {} }),
  close: () => {},
} as unknown as Desktop;

/** An honest server; a lost session cannot be resumed, so that its end is visible. */
const apiOf = (fixture: SessionFixture): SessionApi => ({
  async open(_code, key) {
    const { input, operatorOptions } = fixture.invite({ grant: { operator_key: key } });
    void fixture.sessions.open(input);
    return {
      session: 1,
      secret: 'secret',
      ticket: operatorOptions.ticket,
      relay: fixture.plainRelay,
      pair: operatorOptions.pair,
      server_key: operatorOptions.serverKey,
      device: { id: 1, name: 'desk', os: 'linux', key: operatorOptions.deviceKey },
      permissions: [],
      record: false,
      name: 'Ann',
    };
  },
  resume: async () => createProblem('ended'),
  note: async () => true,
  alarm: async () => true,
});

/** Shortens timeouts: what a page waits many seconds for comes soon. */
const hurried = (times: number): Clock => ({
  now: () => performance.now() * times,
  every: (ms, call) => createClock().every(ms / times, call),
  after: (ms, call) => createClock().after(ms / times, call),
});

interface Outcome {
  /** What was done on the device. */
  done: string[];
  /** What the page received from it. */
  received: string[];
  state: ConnectionState;
}

const lines = ['one', 'two', 'three', 'four'];

/**
 * Sends line by line, each after the echo of the one before; ends with the session, or after the last line.
 */
async function talk(session: OperatorSession, received: string[]): Promise<void> {
  const isOver = (): boolean => session.state.phase === 'ended';
  session.on('chat', ({ text }) => received.push(text));
  await eventually(() => session.state.phase === 'live' || isOver(), Boolean);
  for (const [index, text] of lines.entries()) {
    session.send('chat', { text, name: '' });
    // As pages do all the time: so that the last of the other frames has a successor too.
    session.send('ping', index);
    await eventually(() => received.length > index || isOver(), Boolean);
  }
}

async function runUnder(tamper: Tamper, clock = createClock()): Promise<Outcome> {
  const [done, received]: [string[], string[]] = [[], []];
  const part: FeatureFactory = (featureContext) => ({
    handlers: {
      chat(payload) {
        done.push(payload.text);
        featureContext.send('chat', payload);
      },
    },
    stop: () => {},
  });
  const platform = createFakePlatform('desk', { desktop: async () => desktop });
  await using fixture = await openSessionFixture({ platform, parts: [part], tamper });
  const pins = createKeyPins({ getItem: () => null, setItem: () => {} });
  const session = openSession({ ...operatorPorts, from: { code: 'code' }, api: apiOf(fixture), pins, clock });
  await talk(session, received);
  const { state } = session;
  session.end();
  await session.ended;
  await eventually(() => fixture.lines.some((line) => line.includes('ended:')), Boolean);
  return { done, received, state };
}

test('without any change the same relay carries the session', async () => {
  const { done, received, state } = await runUnder((frame) => [frame]);

  assert.deepEqual([done, received, state.phase], [lines, lines, 'live']);
});

/**
 * Frames in order: from the device hello, state, people, a pong, the echoes; from the page confirm, a ping,
 * then a line and a ping.
 */
for (const [tampering, change] of Object.entries(frameTamperings))
  test(`a frame that is ${tampering} ends the session of the page, whichever it is, and nothing is done after it`, async () => {
    for (const side of ['operator', 'device'] as const)
      for (const number of [0, 1, 2, 3]) {
        // Only that nothing arrives at all has to be detected by a timeout.
        const isSilent = tampering === 'dropped' && side === 'device' && number === 0;
        const { done, received, state } = await runUnder(
          tamperAt(side, number, change),
          isSilent ? hurried(50) : createClock(),
        );
        assert.equal(state.phase, 'ended', `${side} ${number}`);
        assert.ok(done.length < lines.length, `${side} ${number}: ${done.join()}`);
        assert.deepEqual(done, lines.slice(0, done.length));
        assert.deepEqual(received, lines.slice(0, received.length));
      }
  });

test('a relay that forwards nothing, from either side or from both, does not keep the page waiting for ever', async () => {
  for (const silenced of [['device'], ['operator', 'device']]) {
    const { done, state } = await runUnder(
      (frame, from) => (silenced.includes(from) ? [] : [frame]),
      hurried(50),
    );
    assert.deepEqual([done, state.phase], [[], 'ended']);
  }
});

/** Replaces a character of the signature at the end of a hello, so that it stays base64url. */
function forge(hello: Buffer): Buffer {
  const changed = Buffer.from(hello);
  const place = changed.length - 10;
  changed[place] = changed[place] === 0x41 ? 0x42 : 0x41;
  return changed;
}

test('tampering is reported as such', async () => {
  const { state: atFirst } = await runUnder(tamperAt('device', 0, (frame) => [forge(frame)]));
  const { state: later } = await runUnder(tamperAt('device', 2, (frame) => [flipBit(frame, -1)]));

  assert.ok(['bad_signature', 'bad_grant'].includes(atFirst.problem!.code), atFirst.problem!.code);
  assert.deepEqual([later.problem!.code, later.by], ['broken', 'fault']);
});
