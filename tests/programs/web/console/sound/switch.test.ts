/** The switch of a feature that the page must open first: lost connections, late replies and earlier attempts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RemoteSession, SessionPhase } from '@drawbridge/session/operator/session';
import { createDeviceSwitch } from '@drawbridge/web/console/device-switch';

const texts = { label: 'L', turnOn: 'on?', starting: 'starting', waiting: 'waiting', turnOff: () => 'off?' };

/** What the page opens, by its number. The test decides when it is open, or fails. */
interface Opening {
  succeed(): Promise<void>;
  failToLoad(): Promise<void>;
  breakDown(): void;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A switch in a live session, and what it did. */
function startTrial() {
  const state = { phase: 'live' as SessionPhase };
  const listeners = new Map<string, (payload: never) => void>();
  let onChange = (): void => {};
  const [asked, shown, open]: [boolean[], string[], Set<number>] = [[], [], new Set()];
  const openings: Opening[] = [];
  const session = {
    state,
    permissions: new Set(['agent_audio_calls']),
    knows: () => true,
    on: (kind: string, listener: (payload: never) => void) => listeners.set(kind, listener),
    onChange: (listener: () => void) => void (onChange = listener),
    send: (_kind: string, { on }: { on: boolean }) => state.phase === 'live' && asked.push(on) > 0,
  };
  const openPart = (onFailure: () => void): Promise<{ close(): void }> => {
    const { promise, resolve, reject } = Promise.withResolvers<{ close(): void }>();
    const number = openings.length;
    openings.push({
      succeed() {
        open.add(number);
        resolve({ close: () => open.delete(number) });
        return settled();
      },
      failToLoad: () => (reject(new Error('not loaded')), settled()),
      breakDown: onFailure,
    });
    return promise;
  };
  const page = { isPossible: true, open: openPart, whyNot: 'broken', notLoaded: 'not loaded' };
  const made = createDeviceSwitch(
    { kind: 'sound', texts, page },
    {
      session: session as unknown as RemoteSession,
      show: (text) => void shown.push(text),
      changed: () => {},
    },
  );
  return {
    asked,
    shown,
    open,
    openings,
    press: made.toggle,
    title: () => made.look().title,
    look: made.look,
    isUsed: () => made.opened() !== undefined,
    reply: (on: boolean, message?: string) => listeners.get('sound')!({ on, message } as never),
    go(phase: SessionPhase): void {
      state.phase = phase;
      onChange();
    },
  };
}

test('what is turned on while the connection is lost starts when it is back', async () => {
  const { press, go, title, openings, asked, reply, isUsed } = startTrial();
  go('reconnecting');
  press();
  assert.deepEqual([title(), openings.length], ['waiting', 0]);

  go('live');
  assert.equal(title(), 'starting');
  await openings[0]!.succeed();
  reply(true);
  assert.deepEqual([asked, title(), isUsed()], [[true], 'off?', true]);
});

test('what was on says that it returns with the connection, and a press prevents that', async () => {
  const { press, go, title, openings, open, reply } = startTrial();
  press();
  await openings[0]!.succeed();
  reply(true);
  go('reconnecting');
  assert.deepEqual([title(), open.size], ['waiting', 0]);

  press();
  assert.equal(title(), 'on?');
  go('live');
  assert.deepEqual([title(), openings.length], ['on?', 1]);
});

test('the end of the session closes what the page has opened, or opens only then', async () => {
  for (const isEarly of [true, false]) {
    const { press, go, title, openings, open, asked } = startTrial();
    press();
    if (isEarly) await openings[0]!.succeed();
    go('ended');
    if (!isEarly) await openings[0]!.succeed();

    assert.deepEqual([title(), open.size, asked], ['on?', 0, isEarly ? [true] : []]);
    press();
    assert.equal(title(), 'on?');
  }
});

test('replies to an earlier request do not count before the device is asked again', async () => {
  const { press, title, openings, asked, reply, isUsed } = startTrial();
  press();
  await openings[0]!.succeed();
  press();
  press();
  reply(true);
  reply(false, 'It has failed.');
  assert.equal(title(), 'starting');

  await openings[1]!.succeed();
  reply(true);
  assert.deepEqual([asked, title(), isUsed()], [[true, false, true], 'off?', true]);
});

test('the failure of an earlier attempt does not stop a later one', async () => {
  const { press, title, openings, open, asked, shown } = startTrial();
  press();
  press();
  press();
  await openings[0]!.failToLoad();
  await openings[1]!.succeed();
  openings[0]!.breakDown();

  assert.deepEqual([title(), asked, shown, [...open]], ['starting', [false, true], [], [1]]);
});

test('a file that does not load while the connection is lost is loaded again when it is back', async () => {
  const { press, go, title, openings, asked, shown } = startTrial();
  press();
  go('reconnecting');
  await openings[0]!.failToLoad();
  assert.deepEqual([title(), shown], ['waiting', []]);

  go('live');
  await openings[1]!.succeed();
  assert.deepEqual([title(), asked], ['starting', [true]]);
});

test('the operator is told whether a file did not load or the browser cannot do it', async () => {
  const { press, title, openings, open, shown } = startTrial();
  press();
  await openings[0]!.failToLoad();
  assert.equal(title(), 'on?: not loaded');
  press();
  await openings[1]!.succeed();
  openings[1]!.breakDown();

  assert.deepEqual([title(), shown, open.size], ['on?: broken', ['not loaded', 'broken'], 0]);
});

test('the title says the state, so that screen readers do not say it twice', async () => {
  const { press, openings, reply, look } = startTrial();
  press();
  await openings[0]!.succeed();
  reply(true);

  assert.deepEqual(look(), { title: 'off?', label: 'L', isOn: true });
});
