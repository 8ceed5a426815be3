/**
 * Well-formed messages of an operator, of every kind and with any content that its schema allows, generated
 * at random.
 */
import {
  encodeKey,
  encodeNumber,
  encodeDataChunk,
  encodePointer,
  encodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { SeededRandom } from '../../fuzz/seeded-random.ts';

type MakePayload = (random: SeededRandom) => Uint8Array;

const texts = ['', 'a', 'żółw 🐢', '<b>&amp;</b>', "'; rm -rf ~ #", '../../etc/passwd', 'x'.repeat(300)];
const text = (random: SeededRandom): string => random.pick(texts);
const smallNumber = (random: SeededRandom): number => random.whole(0, 3);
const path = (random: SeededRandom): string => `/${random.pick(['', 'here', 'here/there', '../..', 'żółw'])}`;
const data = (random: SeededRandom): Uint8Array =>
  new Uint8Array(random.whole(0, 64)).map(() => random.whole(0, 255));
const hash = (random: SeededRandom): string => random.pick('0123456789abcdef'.split('')).repeat(64);
const piece: MakePayload = (random) =>
  encodeDataChunk({ id: smallNumber(random), at: random.whole(0, 99), data: data(random) });

/** One of these, as a payload of this kind. */
const word =
  <Name extends Parameters<typeof encodeMessage>[0] & FrameKindName>(
    kind: Name,
    ...makers: readonly ((random: SeededRandom) => SessionMessage<Name>)[]
  ): MakePayload =>
  (random) =>
    encodeMessage(kind, random.pick(makers)(random));

const size = (random: SeededRandom): { columns: number; rows: number } => ({
  columns: random.whole(2, 300),
  rows: random.whole(2, 99),
});

/** All kinds that an operator sends, except those that begin and end a session and rotate its keys. */
const payloadMakers: Partial<Record<FrameKindName, MakePayload>> = {
  ping: (random) => encodeNumber(random.whole(0, 1_000)),
  pong: (random) => encodeNumber(random.whole(0, 1_000)),
  direct: word('direct', (random) => ({ failed: text(random) })),
  shown: (random) => encodeNumber(random.whole(0, 0xffff_ffff)),
  view: word(
    'view',
    (random) => ({ monitor: random.whole(-1, 2), video: false }),
    (random) => ({ paused: random.oneIn(2), quality: random.pick(['auto', 'sharp', 'fast']) }),
    () => ({ fresh: true }),
  ),
  pointer: (random) =>
    encodePointer({ x: random.whole(0, 65_535), y: random.whole(0, 65_535), buttons: random.whole(0, 31) }),
  wheel: (random) =>
    encodeWheel({
      x: smallNumber(random),
      y: smallNumber(random),
      deltaX: 0,
      deltaY: random.whole(-500, 500),
    }),
  key: (random) =>
    encodeKey({
      down: random.oneIn(2),
      code: random.pick(['KeyA', 'F12', 'MetaLeft']),
      key: text(random).slice(0, 8),
    }),
  text: word('text', (random) => ({ text: text(random) })),
  drive: word('drive', (random) => ({ to: random.pick(['me', 'everyone', smallNumber(random)] as const) })),
  resize: word('resize', (random) => ({ width: random.whole(1, 16_384), height: random.whole(1, 16_384) })),
  clipboard: word('clipboard', (random) => ({ text: text(random) })),
  terminal: word(
    'terminal',
    (random) => ({ do: 'open', id: smallNumber(random), ...size(random) }),
    (random) => ({ do: 'resize', id: smallNumber(random), ...size(random) }),
    (random) => ({ do: 'close', id: smallNumber(random) }),
    (random) => ({ do: 'read', id: smallNumber(random), bytes: random.whole(0, 9_999) }),
  ),
  terminal_bytes: piece,
  file: word(
    'file',
    (random) => ({ do: 'list', id: smallNumber(random), path: path(random) }),
    (random) => ({
      do: 'get',
      id: smallNumber(random),
      path: path(random),
      from: smallNumber(random),
      hash: random.pick([undefined, 'blocks']),
    }),
    (random) => ({
      do: 'put',
      id: smallNumber(random),
      path: path(random),
      size: random.whole(0, 99),
      replace: random.oneIn(2),
      hash: random.pick([undefined, 'blocks']),
    }),
    (random) => ({ do: 'finish', id: smallNumber(random), sha256: hash(random) }),
    (random) => ({ do: 'stop', id: smallNumber(random) }),
    (random) => ({ do: 'folder', id: smallNumber(random), path: path(random) }),
    (random) => ({ do: 'rename', id: smallNumber(random), path: path(random), to: path(random) }),
    (random) => ({ do: 'remove', id: smallNumber(random), path: path(random) }),
    (random) => ({ do: 'taken', id: smallNumber(random), bytes: random.whole(0, 99) }),
  ),
  file_bytes: piece,
  file_drag: word('file_drag', (random) => ({ is: random.pick(['outside', 'inside']) })),
  printing: word('printing', (random) => ({ on: random.oneIn(2) })),
  document: word(
    'document',
    (random) => ({ is: 'taken', id: smallNumber(random), bytes: random.whole(0, 99) }),
    (random) => ({ is: 'stop', id: smallNumber(random) }),
  ),
  chat: word('chat', (random) => ({ text: text(random), name: text(random).slice(0, 320) })),
  call: word('call', (random) => ({ do: random.pick(['ring', 'accept', 'decline', 'hang_up']) })),
  voice: piece,
  sound: word('sound', (random) => ({ on: random.oneIn(2) })),
  lock: word('lock', () => ({})),
  shield: word('shield', (random) => ({ on: random.oneIn(2) })),
  reboot: word('reboot', (random) => ({ safe: random.oneIn(2) })),
  software: word('software', () => ({})),
  install: word('install', (random) => ({ message: text(random) })),
};

export const permissionOf = (kind: FrameKindName): FrameKind['permission'] => frameKinds[kind].permission;

const excludedKinds: ReadonlySet<FrameKindName> = new Set(['confirm', 'end', 'rekey']);

/** The kinds that are generated: a new kind of operator message that is missing here does not compile. */
export const operatorKinds: readonly FrameKindName[] = (Object.keys(frameKinds) as FrameKindName[]).filter(
  (kind) => {
    const isOperators = frameKinds[kind].from !== 'device' && !excludedKinds.has(kind);
    if (isOperators !== Object.hasOwn(payloadMakers, kind)) throw new Error(`nobody throws ${kind}`);
    return isOperators;
  },
);

export const makePayload = (kind: FrameKindName, random: SeededRandom): Uint8Array =>
  payloadMakers[kind]!(random);
