/** What an operator may do: exactly what the grant says, whatever is sent in whatever order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeKey,
  encodeNumber,
  encodeDataChunk,
  encodePointer,
  encodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import {
  frameKinds,
  sessionPermissions,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';
import { encodeMessage } from '@drawbridge/contract/session/messages';
import fc from 'fast-check';
import { drawn } from '../../../tests/kit/random.ts';
import { createParticipants, type Seat } from './participants.ts';
import { dispatchFrame, type FrameDispatchDeps } from './dispatch-frame.ts';

const piece = encodeDataChunk({ id: 1, at: 0, data: Uint8Array.of(1) });
/** A frame in its shape for every kind that an operator can send. */
const good: Partial<Record<FrameKindName, Uint8Array>> = {
  confirm: encodeMessage('confirm', { version: 1 }),
  end: encodeMessage('end', { by: 'operator', message: '', back: false }),
  ping: encodeNumber(1),
  pong: encodeNumber(1),
  direct: encodeMessage('direct', { offer: 'o' }),
  rekey: new Uint8Array(0),
  shown: encodeNumber(1),
  view: encodeMessage('view', { monitor: 0 }),
  pointer: encodePointer({ x: 1, y: 2, buttons: 1 }),
  wheel: encodeWheel({ x: 1, y: 2, deltaX: 0, deltaY: 120 }),
  key: encodeKey({ down: true, code: 'KeyA', key: 'a' }),
  text: encodeMessage('text', { text: 'a' }),
  drive: encodeMessage('drive', { to: 'me' }),
  resize: encodeMessage('resize', { width: 800, height: 600 }),
  clipboard: encodeMessage('clipboard', { text: 'a' }),
  terminal: encodeMessage('terminal', { do: 'open', id: 1, columns: 80, rows: 24 }),
  terminal_bytes: piece,
  file: encodeMessage('file', { do: 'list', id: 1, path: '/' }),
  file_bytes: piece,
  chat: encodeMessage('chat', { text: 'a', name: '' }),
  call: encodeMessage('call', { do: 'ring' }),
  voice: piece,
  lock: encodeMessage('lock', {}),
  shield: encodeMessage('shield', { on: true }),
  reboot: encodeMessage('reboot', { safe: false }),
  software: encodeMessage('software', {}),
  install: encodeMessage('install', { message: '' }),
};
const bad = Uint8Array.of(0x7b, 0x22, 0xff);
const ownFrames = new Set<FrameKindName>(['confirm', 'end', 'ping', 'pong', 'rekey', 'drive']);
const names = Object.keys(frameKinds) as FrameKindName[];
const seat: Seat = {
  number: 1,
  whyNotDriving: () => undefined,
  drive: () => undefined,
  shield: { whyNot: () => undefined, take: () => {}, announce: () => {} },
  leave: () => {},
};

function play(permissions: readonly string[], isLive: boolean) {
  const heard = { passed: [] as FrameKindName[], refused: [] as FrameKindName[], faults: 0, ends: 0 };
  const capabilities = { permissions: new Set(permissions), unable: {} };
  const hearing: FrameDispatchDeps = {
    live: () => (isLive ? { capabilities, seat } : undefined),
    send: () => {},
    refuse: (kind) => void heard.refused.push(kind),
    fault: () => void (heard.faults += 1),
    onEnd: () => void (heard.ends += 1),
    toFeature: (kind) => void heard.passed.push(kind),
  };
  return { heard, hearing };
}

/** What must become of a frame, said a second time and otherwise than the code says it. */
function expected(kind: FrameKindName, isGood: boolean, permissions: readonly string[]): string {
  const { from, permission }: FrameKind = frameKinds[kind];
  if (from === 'device' || kind === 'confirm') return 'fault';
  if (permission !== null && !permissions.includes(permission)) return 'refused';
  if (!isGood) return 'fault';
  return ownFrames.has(kind) ? 'own' : 'passed';
}

test('of 100,000 random sequences under random rights everything permitted is done, and nothing else', () => {
  const frame = fc.tuple(fc.nat(names.length - 1), fc.nat(9));
  let frames = 0;
  fc.assert(
    fc.property(
      fc.subarray([...sessionPermissions]),
      fc.array(frame, { minLength: 1, maxLength: 4 }),
      (permissions, sequence) => {
        const { heard, hearing } = play(permissions, true);
        for (const [index, chance] of sequence) {
          const kind = names[index]!;
          const isGood = chance > 0 && good[kind] !== undefined;
          const before = [heard.passed.length, heard.refused.length, heard.faults];
          dispatchFrame(hearing, { kind, payload: Buffer.from(isGood ? good[kind]! : bad) });
          const after = [heard.passed.length, heard.refused.length, heard.faults];
          const is = ['passed', 'refused', 'fault'].find((_, at) => after[at] !== before[at]) ?? 'own';
          frames += 1;
          if (is !== expected(kind, isGood, permissions)) return false;
        }
        return true;
      },
    ),
    drawn(100_000),
  );
  assert.ok(frames >= 100_000);
});

test('before the session is live no frame reaches a part', () => {
  const { heard, hearing } = play(sessionPermissions, false);

  for (const [kind, payload] of Object.entries(good))
    dispatchFrame(hearing, { kind: kind as FrameKindName, payload: Buffer.from(payload) });

  assert.deepEqual(heard.passed, []);
  assert.equal(heard.faults, 1);
});

test('each permission alone opens its own kinds of frames and no others', () => {
  for (const permission of sessionPermissions) {
    const { heard, hearing } = play([permission], true);

    for (const [kind, payload] of Object.entries(good))
      dispatchFrame(hearing, { kind: kind as FrameKindName, payload: Buffer.from(payload) });

    const own = names.filter(
      (kind) =>
        frameKinds[kind].permission === permission && frameKinds[kind].from !== 'device' && kind !== 'drive',
    );
    assert.deepEqual(heard.passed, ['direct', ...own]);
  }
});

test('who does not hold mouse and keyboard is refused, who takes them is not, and the others let go', () => {
  const participants = createParticipants();
  const rested: string[] = [];
  const told: Record<string, boolean[]> = {};
  const join = (name: string, mayDrive = true): Seat =>
    participants.join({
      name,
      mayDrive,
      tell: ({ people }) => void (told[name] = people.map(({ driver }) => driver)),
      releaseInput: () => void rested.push(name),
    });
  const [ann, bob, eve] = [join('ann'), join('bob'), join('eve', false)];

  const free = [ann.whyNotDriving(), bob.whyNotDriving()];
  ann.drive('me');
  const held = [ann.whyNotDriving(), bob.whyNotDriving()];
  const stolen = bob.drive(eve.number);
  const unfit = [ann.drive(eve.number), eve.drive('me'), ann.drive(99)].map((why) => typeof why);
  ann.drive(bob.number);
  const handed = [ann.whyNotDriving(), bob.whyNotDriving()];
  const seenByEve = told['eve'];
  bob.leave();

  assert.deepEqual(free, [undefined, undefined]);
  assert.deepEqual(held, [undefined, 'ann controls the mouse and keyboard.']);
  assert.match(stolen!, /use the mouse and keyboard/);
  assert.deepEqual(unfit, ['string', 'string', 'string']);
  assert.deepEqual(handed, ['bob controls the mouse and keyboard.', undefined]);
  assert.deepEqual(seenByEve, [false, true, false]);
  assert.deepEqual(rested, ['bob', 'eve', 'ann', 'eve']);
  assert.equal(ann.whyNotDriving(), undefined);
});

test('while the person at the device is asked nobody who is connected can press the answer', async () => {
  const participants = createParticipants();
  const ann = participants.join({ name: 'ann', mayDrive: true, tell: () => {}, releaseInput: () => {} });
  ann.drive('me');

  const during = await participants.withInputBlocked(async () => ann.whyNotDriving());
  await assert.rejects(participants.withInputBlocked(() => Promise.reject(new Error('no display'))));
  await participants.withInputBlocked(async () => {});

  assert.equal(during, 'The person at the device is being asked a question.');
  assert.equal(ann.whyNotDriving(), undefined);
});
