/**
 * Every kind of frame that an operator can send, one row each: how it is sent, and the effect on the device.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  encodeKey,
  encodeNumber,
  encodeDataChunk,
  encodePointer,
  encodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import type { frameKinds, FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { AgentFixture } from '../agent/agent-fixture.ts';
import { runOnDisplay, pasteText } from '../display/desktop-programs.ts';
import { setGamma } from '../display/gamma.ts';
import type { Operator } from '../session/operator.ts';
import { eventually } from '../eventually.ts';

/** One session: `turn` is a unique number that tells its effects from those of other sessions. */
export interface FrameAttempt {
  fixture: AgentFixture;
  operator: Operator;
  turn: number;
}

export interface FrameCheck {
  send(attempt: FrameAttempt): void | Promise<void>;
  /** Whether its effect is visible; absent if it has none here. */
  isDone?(attempt: FrameAttempt): boolean | Promise<boolean>;
  /** Restores the device for the checks that follow. */
  undo?(attempt: FrameAttempt): void;
}

/** The kinds that operators send; a new kind without a row below does not compile. */
export type OperatorKind = {
  [Name in FrameKindName]: (typeof frameKinds)[Name]['from'] extends 'device' ? never : Name;
}[FrameKindName];

/** Allowed in every session, whatever its permissions: the protocol itself. */
export type ProtocolKind = 'confirm' | 'end' | 'ping' | 'pong' | 'direct' | 'rekey';

const pointerOf = ({ display: { connection } }: AgentFixture) =>
  connection.call<{ rootX: number; rootY: number; keyMask: number }>((done) =>
    connection.client.QueryPointer(connection.root, done),
  );
const isAt = async ({ fixture }: FrameAttempt, x: number, y: number): Promise<boolean> => {
  const { rootX, rootY } = await pointerOf(fixture);
  return rootX === x && rootY === y;
};
const widthOf = async ({ display: { connection } }: AgentFixture): Promise<number> =>
  (await connection.call<{ width: number }>((done) => connection.client.GetGeometry(connection.root, done)))
    .width;
const isShown = async (title: string): Promise<boolean> =>
  (await runOnDisplay('xdotool', 'search', '--onlyvisible', '--name', `^${title}$`).catch(() => '')) !== '';
const pictures = ({ operator }: FrameAttempt): number =>
  operator.received.filter(({ kind }) => kind === 'tiles' || kind === 'video').length;
const count = (text: string, part: string): number => text.split(part).length - 1;
const shift = { code: 'ShiftLeft', key: 'Shift' };
const brought = Buffer.from('brought');
/** How often the entry was there before: the agent logs what it did. */
const before = new WeakMap<Operator, number>();
const logged =
  (line: string): NonNullable<FrameCheck['isDone']> =>
  ({ fixture, operator }) =>
    count(fixture.agent.output(), line) > (before.get(operator) ?? 0);
const remember =
  (line: string) =>
  ({ fixture, operator }: FrameAttempt): void =>
    void before.set(operator, count(fixture.agent.output(), line));

/** The order in which they are sent: what ends the session comes last. */
export const frameChecks: Record<Exclude<OperatorKind, ProtocolKind>, FrameCheck> = {
  view: {
    send(attempt) {
      const received = pictures(attempt);
      before.set(attempt.operator, received);
      // The device sends no further picture while too many are on the way.
      for (let number = 1; number <= received; number++) attempt.operator.send('shown', encodeNumber(number));
      attempt.operator.sendMessage('view', { fresh: true });
    },
    isDone: (attempt) => pictures(attempt) > (before.get(attempt.operator) ?? 0),
  },
  shown: {
    send: ({ operator }) => operator.send('shown', encodeNumber(1)),
    isDone: ({ operator }) => operator.messages('layout').length > 0,
  },
  pointer: {
    send: ({ operator, turn }) =>
      operator.send('pointer', encodePointer({ x: 10 + turn, y: 610, buttons: 0 })),
    isDone: (attempt) => isAt(attempt, 10 + attempt.turn, 610),
  },
  wheel: {
    send: ({ operator, turn }) =>
      operator.send('wheel', encodeWheel({ x: 10 + turn, y: 640, deltaX: 0, deltaY: 120 })),
    isDone: (attempt) => isAt(attempt, 10 + attempt.turn, 640),
  },
  key: {
    send: ({ operator }) => operator.send('key', encodeKey({ down: true, ...shift })),
    isDone: async ({ fixture }) => ((await pointerOf(fixture)).keyMask & 1) === 1,
    undo: ({ operator }) => operator.send('key', encodeKey({ down: false, ...shift })),
  },
  text: {
    async send({ fixture, operator, turn }) {
      await fixture.display.point(fixture.writer.at.x, fixture.writer.at.y);
      operator.sendMessage('text', { text: `typed ${turn}\n` });
    },
    isDone: ({ fixture, turn }) => fixture.writer.typed().includes(`typed ${turn}\n`),
  },
  drive: {
    send: ({ operator }) => operator.sendMessage('drive', { to: 'me' }),
    isDone: ({ operator }) =>
      operator.messages('people').some(({ people }) => people.some(({ driver, you }) => driver && you)),
  },
  resize: {
    send: ({ operator, turn }) => operator.sendMessage('resize', { width: 900 + turn, height: 700 }),
    isDone: async ({ fixture, turn }) => (await widthOf(fixture)) === 900 + turn,
  },
  clipboard: {
    send: ({ operator, turn }) => operator.sendMessage('clipboard', { text: `copied ${turn}` }),
    isDone: async ({ turn }) => (await pasteText().catch(() => '')) === `copied ${turn}`,
  },
  terminal: {
    send: ({ operator }) => operator.sendMessage('terminal', { do: 'open', id: 1, columns: 80, rows: 24 }),
    isDone: ({ operator }) => operator.received.some(({ kind }) => kind === 'terminal_bytes'),
  },
  terminal_bytes: {
    send: ({ operator, turn }) =>
      operator.send(
        'terminal_bytes',
        encodeDataChunk({ id: 1, at: 0, data: Buffer.from(`: > ran-${turn}\n`) }),
      ),
    isDone: ({ fixture, turn }) => existsSync(join(fixture.folder, `ran-${turn}`)),
  },
  file: {
    send: ({ operator, turn }) =>
      operator.sendMessage('file', { do: 'folder', id: 1, path: `/made-${turn}` }),
    isDone: ({ fixture, turn }) => existsSync(join(fixture.folder, `made-${turn}`)),
  },
  file_bytes: {
    async send({ operator, turn }) {
      const path = `/brought-${turn}`;
      operator.sendMessage('file', { do: 'put', id: 2, path, size: brought.length, replace: false });
      const isAnswered = (): boolean =>
        operator.messages('file_answer').some(({ is }) => is === 'put') ||
        operator.messages('refused').some(({ kind }) => kind === 'file');
      await eventually(isAnswered, Boolean);
      operator.send('file_bytes', encodeDataChunk({ id: 2, at: 0, data: brought }));
      const sha256 = createHash('sha256').update(brought).digest('hex');
      operator.sendMessage('file', { do: 'finish', id: 2, sha256 });
    },
    isDone: ({ fixture, turn }) => existsSync(join(fixture.folder, `brought-${turn}`)),
  },
  chat: {
    send: ({ operator }) => operator.sendMessage('chat', { text: 'Good morning!', name: 'somebody' }),
    isDone: () => isShown('Drawbridge chat'),
  },
  lock: {
    send(attempt) {
      remember('locked the screen')(attempt);
      attempt.operator.sendMessage('lock', {});
    },
    isDone: logged('locked the screen'),
  },
  shield: {
    send: ({ operator }) => operator.sendMessage('shield', { on: true }),
    isDone: async ({ fixture }) => (await setGamma(fixture.display)) === 0,
    undo: ({ operator }) => operator.sendMessage('shield', { on: false }),
  },
  software: {
    send: ({ operator }) => operator.sendMessage('software', {}),
    isDone: ({ operator }) => operator.messages('programs').length > 0,
  },
  /** Only for clients of invitations, whose program receives it. */
  install: {
    send: ({ operator }) => operator.sendMessage('install', { message: 'Please.' }),
    isDone: async ({ operator }) =>
      !operator.messages('state').some(({ permissions }) => permissions.includes('agent_audio_calls')) &&
      (await isShown('Drawbridge request')),
  },
  /** No call is running yet: the tests of calls cover the sound itself. */
  voice: {
    send: ({ operator }) =>
      operator.send('voice', encodeDataChunk({ id: 0, at: 0, data: new Uint8Array(4) })),
  },
  /** The device has no sound server: it says so, in other words than those about permissions. */
  sound: {
    send: ({ operator }) => operator.sendMessage('sound', { on: true }),
    isDone: ({ operator }) =>
      operator
        .messages('refused')
        .some(({ kind, message }) => kind === 'sound' && !message.includes('permission')),
  },
  /** Nothing is dragged on the device: the tests of drags cover the answers. */
  file_drag: {
    send: ({ operator }) => operator.sendMessage('file_drag', { is: 'outside' }),
  },
  /** CUPS does not run on the device: it says so. */
  printing: {
    send: ({ operator }) => operator.sendMessage('printing', { on: true }),
    isDone: ({ operator }) =>
      operator
        .messages('refused')
        .some(({ kind, message }) => kind === 'printing' && !message.includes('permission')),
  },
  /** No document is being sent: the tests of printing cover acknowledgements. */
  document: {
    send: ({ operator }) => operator.sendMessage('document', { is: 'taken', id: 1, bytes: 1 }),
  },
  call: {
    send: ({ operator }) => operator.sendMessage('call', { do: 'ring' }),
    isDone: () => isShown('Drawbridge request'),
  },
  reboot: {
    send: ({ operator }) => operator.sendMessage('reboot', { safe: false }),
    isDone: ({ operator }) => operator.messages('end').some(({ back }) => back),
  },
};
