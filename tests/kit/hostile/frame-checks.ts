/** Every kind of frame that an operator can send, one line each: how it is said, and what is to be seen on the device when it was done. */
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

/** One session: `turn` is a number of its own, by which what it did can be told from what others did. */
export interface FrameAttempt {
  fixture: AgentFixture;
  operator: Operator;
  turn: number;
}

export interface FrameCheck {
  say(attempt: FrameAttempt): void | Promise<void>;
  /** Whether it is to be seen that it was done. */
  isDone(attempt: FrameAttempt): boolean | Promise<boolean>;
  /** So that what follows finds the device as it was. */
  undo?(attempt: FrameAttempt): void;
}

/** Those that operators send; a new one of them that has no line below does not compile. */
export type OperatorKind = {
  [Name in FrameKindName]: (typeof frameKinds)[Name]['from'] extends 'device' ? never : Name;
}[FrameKindName];

/** Of every session, whatever its rights: the protocol itself. */
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
  operator.heard.filter(({ kind }) => kind === 'tiles' || kind === 'video').length;
const count = (text: string, part: string): number => text.split(part).length - 1;
const shift = { code: 'ShiftLeft', key: 'Shift' };
const brought = Buffer.from('brought');
/** How often it was there before: the agent writes down what it did. */
const before = new WeakMap<Operator, number>();
const logged =
  (line: string): FrameCheck['isDone'] =>
  ({ fixture, operator }) =>
    count(fixture.agent.output(), line) > (before.get(operator) ?? 0);
const remember =
  (line: string) =>
  ({ fixture, operator }: FrameAttempt): void =>
    void before.set(operator, count(fixture.agent.output(), line));

/** In this order they are said: what ends the session comes last. */
export const frameChecks: Record<Exclude<OperatorKind, ProtocolKind>, FrameCheck> = {
  view: {
    say(attempt) {
      before.set(attempt.operator, pictures(attempt));
      attempt.operator.say('view', { fresh: true });
    },
    isDone: (attempt) => pictures(attempt) > (before.get(attempt.operator) ?? 0),
  },
  shown: {
    say: ({ operator }) => operator.send('shown', encodeNumber(1)),
    isDone: ({ operator }) => operator.words('layout').length > 0,
  },
  pointer: {
    say: ({ operator, turn }) =>
      operator.send('pointer', encodePointer({ x: 10 + turn, y: 610, buttons: 0 })),
    isDone: (attempt) => isAt(attempt, 10 + attempt.turn, 610),
  },
  wheel: {
    say: ({ operator, turn }) =>
      operator.send('wheel', encodeWheel({ x: 10 + turn, y: 640, deltaX: 0, deltaY: 120 })),
    isDone: (attempt) => isAt(attempt, 10 + attempt.turn, 640),
  },
  key: {
    say: ({ operator }) => operator.send('key', encodeKey({ down: true, ...shift })),
    isDone: async ({ fixture }) => ((await pointerOf(fixture)).keyMask & 1) === 1,
    undo: ({ operator }) => operator.send('key', encodeKey({ down: false, ...shift })),
  },
  text: {
    async say({ fixture, operator, turn }) {
      await fixture.display.point(fixture.writer.at.x, fixture.writer.at.y);
      operator.say('text', { text: `typed ${turn}\n` });
    },
    isDone: ({ fixture, turn }) => fixture.writer.typed().includes(`typed ${turn}\n`),
  },
  drive: {
    say: ({ operator }) => operator.say('drive', { to: 'me' }),
    isDone: ({ operator }) =>
      operator.words('people').some(({ people }) => people.some(({ driver, you }) => driver && you)),
  },
  resize: {
    say: ({ operator, turn }) => operator.say('resize', { width: 900 + turn, height: 700 }),
    isDone: async ({ fixture, turn }) => (await widthOf(fixture)) === 900 + turn,
  },
  clipboard: {
    say: ({ operator, turn }) => operator.say('clipboard', { text: `copied ${turn}` }),
    isDone: async ({ turn }) => (await pasteText().catch(() => '')) === `copied ${turn}`,
  },
  terminal: {
    say: ({ operator }) => operator.say('terminal', { do: 'open', id: 1, columns: 80, rows: 24 }),
    isDone: ({ operator }) => operator.heard.some(({ kind }) => kind === 'terminal_bytes'),
  },
  terminal_bytes: {
    say: ({ operator, turn }) =>
      operator.send(
        'terminal_bytes',
        encodeDataChunk({ id: 1, at: 0, data: Buffer.from(`: > ran-${turn}\n`) }),
      ),
    isDone: ({ fixture, turn }) => existsSync(join(fixture.folder, `ran-${turn}`)),
  },
  file: {
    say: ({ operator, turn }) => operator.say('file', { do: 'folder', id: 1, path: `/made-${turn}` }),
    isDone: ({ fixture, turn }) => existsSync(join(fixture.folder, `made-${turn}`)),
  },
  file_bytes: {
    async say({ operator, turn }) {
      const path = `/brought-${turn}`;
      operator.say('file', { do: 'put', id: 2, path, size: brought.length, replace: false });
      const isAnswered = (): boolean =>
        operator.words('file_answer').some(({ is }) => is === 'put') ||
        operator.words('refused').some(({ kind }) => kind === 'file');
      await eventually(isAnswered, Boolean);
      operator.send('file_bytes', encodeDataChunk({ id: 2, at: 0, data: brought }));
      const sha256 = createHash('sha256').update(brought).digest('hex');
      operator.say('file', { do: 'finish', id: 2, sha256 });
    },
    isDone: ({ fixture, turn }) => existsSync(join(fixture.folder, `brought-${turn}`)),
  },
  chat: {
    say: ({ operator }) => operator.say('chat', { text: 'Good morning!', name: 'somebody' }),
    isDone: () => isShown('Drawbridge chat'),
  },
  lock: {
    say(attempt) {
      remember('locked the screen')(attempt);
      attempt.operator.say('lock', {});
    },
    isDone: logged('locked the screen'),
  },
  shield: {
    say: ({ operator }) => operator.say('shield', { on: true }),
    isDone: async ({ fixture }) => (await setGamma(fixture.display)) === 0,
    undo: ({ operator }) => operator.say('shield', { on: false }),
  },
  software: {
    say: ({ operator }) => operator.say('software', {}),
    isDone: ({ operator }) => operator.words('programs').length > 0,
  },
  /** Only for clients of invitations, whose program hears it. */
  install: {
    say: ({ operator }) => operator.say('install', { message: 'Please.' }),
    isDone: async ({ operator }) =>
      !operator.words('state').some(({ permissions }) => permissions.includes('agent_audio_calls')) &&
      (await isShown('Drawbridge request')),
  },
  /** Nobody talks yet: the sound itself is in the tests of calls. */
  voice: {
    say: ({ operator }) => operator.send('voice', encodeDataChunk({ id: 0, at: 0, data: new Uint8Array(4) })),
    isDone: () => true,
  },
  call: {
    say: ({ operator }) => operator.say('call', { do: 'ring' }),
    isDone: () => isShown('Drawbridge request'),
  },
  reboot: {
    say: ({ operator }) => operator.say('reboot', { safe: false }),
    isDone: ({ operator }) => operator.words('end').some(({ back }) => back),
  },
};
