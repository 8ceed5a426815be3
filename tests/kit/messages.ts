/** Well-formed messages of an operator, of every kind and with any content that its shape allows, thrown with dice. */
import {
  encodeKey,
  encodeNumber,
  encodeDataChunk,
  encodePointer,
  encodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Dice } from '../fuzz/dice.ts';

type Thrown = (dice: Dice) => Uint8Array;

const texts = ['', 'a', 'żółw 🐢', '<b>&amp;</b>', "'; rm -rf ~ #", '../../etc/passwd', 'x'.repeat(300)];
const text = (dice: Dice): string => dice.pick(texts);
const few = (dice: Dice): number => dice.whole(0, 3);
const path = (dice: Dice): string => `/${dice.pick(['', 'here', 'here/there', '../..', 'żółw'])}`;
const data = (dice: Dice): Uint8Array => new Uint8Array(dice.whole(0, 64)).map(() => dice.whole(0, 255));
const hash = (dice: Dice): string => dice.pick('0123456789abcdef'.split('')).repeat(64);
const piece: Thrown = (dice) => encodeDataChunk({ id: few(dice), at: dice.whole(0, 99), data: data(dice) });

/** One of these, as a payload of this kind. */
const word =
  <Name extends Parameters<typeof encodeMessage>[0] & FrameKindName>(
    kind: Name,
    ...makers: readonly ((dice: Dice) => SessionMessage<Name>)[]
  ): Thrown =>
  (dice) =>
    encodeMessage(kind, dice.pick(makers)(dice));

const size = (dice: Dice): { columns: number; rows: number } => ({
  columns: dice.whole(2, 300),
  rows: dice.whole(2, 99),
});

/** All that an operator says, but for what begins and ends a session and turns its keys. */
const thrown: Partial<Record<FrameKindName, Thrown>> = {
  ping: (dice) => encodeNumber(dice.whole(0, 1_000)),
  pong: (dice) => encodeNumber(dice.whole(0, 1_000)),
  direct: word('direct', (dice) => ({ failed: text(dice) })),
  shown: (dice) => encodeNumber(dice.whole(0, 0xffff_ffff)),
  view: word(
    'view',
    (dice) => ({ monitor: dice.whole(-1, 2), video: false }),
    (dice) => ({ paused: dice.oneIn(2), quality: dice.pick(['auto', 'sharp', 'fast']) }),
    () => ({ fresh: true }),
  ),
  pointer: (dice) =>
    encodePointer({ x: dice.whole(0, 65_535), y: dice.whole(0, 65_535), buttons: dice.whole(0, 31) }),
  wheel: (dice) => encodeWheel({ x: few(dice), y: few(dice), deltaX: 0, deltaY: dice.whole(-500, 500) }),
  key: (dice) =>
    encodeKey({
      down: dice.oneIn(2),
      code: dice.pick(['KeyA', 'F12', 'MetaLeft']),
      key: text(dice).slice(0, 8),
    }),
  text: word('text', (dice) => ({ text: text(dice) })),
  drive: word('drive', (dice) => ({ to: dice.pick(['me', 'everyone', few(dice)] as const) })),
  resize: word('resize', (dice) => ({ width: dice.whole(1, 16_384), height: dice.whole(1, 16_384) })),
  clipboard: word('clipboard', (dice) => ({ text: text(dice) })),
  terminal: word(
    'terminal',
    (dice) => ({ do: 'open', id: few(dice), ...size(dice) }),
    (dice) => ({ do: 'resize', id: few(dice), ...size(dice) }),
    (dice) => ({ do: 'close', id: few(dice) }),
    (dice) => ({ do: 'read', id: few(dice), bytes: dice.whole(0, 9_999) }),
  ),
  terminal_bytes: piece,
  file: word(
    'file',
    (dice) => ({ do: 'list', id: few(dice), path: path(dice) }),
    (dice) => ({ do: 'get', id: few(dice), path: path(dice), from: few(dice) }),
    (dice) => ({
      do: 'put',
      id: few(dice),
      path: path(dice),
      size: dice.whole(0, 99),
      replace: dice.oneIn(2),
    }),
    (dice) => ({ do: 'finish', id: few(dice), sha256: hash(dice) }),
    (dice) => ({ do: 'stop', id: few(dice) }),
    (dice) => ({ do: 'folder', id: few(dice), path: path(dice) }),
    (dice) => ({ do: 'rename', id: few(dice), path: path(dice), to: path(dice) }),
    (dice) => ({ do: 'remove', id: few(dice), path: path(dice) }),
    (dice) => ({ do: 'taken', id: few(dice), bytes: dice.whole(0, 99) }),
  ),
  file_bytes: piece,
  chat: word('chat', (dice) => ({ text: text(dice), name: text(dice).slice(0, 320) })),
  call: word('call', (dice) => ({ do: dice.pick(['ring', 'accept', 'decline', 'hang_up']) })),
  voice: piece,
  lock: word('lock', () => ({})),
  shield: word('shield', (dice) => ({ on: dice.oneIn(2) })),
  reboot: word('reboot', (dice) => ({ safe: dice.oneIn(2) })),
  software: word('software', () => ({})),
  install: word('install', (dice) => ({ message: text(dice) })),
};

export const permissionOf = (kind: FrameKindName): FrameKind['permission'] => frameKinds[kind].permission;

const notThrown: ReadonlySet<FrameKindName> = new Set(['confirm', 'end', 'rekey']);

/** The kinds that are thrown: a new kind of an operator's that is missing here is an error. */
export const thrownKinds: readonly FrameKindName[] = (Object.keys(frameKinds) as FrameKindName[]).filter(
  (kind) => {
    const isOperators = frameKinds[kind].from !== 'device' && !notThrown.has(kind);
    if (isOperators !== Object.hasOwn(thrown, kind)) throw new Error(`nobody throws ${kind}`);
    return isOperators;
  },
);

export const throwMessage = (kind: FrameKindName, dice: Dice): Uint8Array => thrown[kind]!(dice);
