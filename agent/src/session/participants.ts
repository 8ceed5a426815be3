/** The operators who are connected to the device at the same time, and which of them controls mouse and keyboard. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { createShields, type Shield, type Shields } from './shield.ts';

interface Participant {
  name: string;
  /** Whether the grant allows them to control mouse and keyboard. */
  mayDrive: boolean;
  tell(people: SessionMessage<'people'>): void;
  /** Releases all pressed keys and buttons, because this operator no longer controls mouse and keyboard. */
  releaseInput(): void;
}

export interface Seat {
  number: number;
  /** Why this operator cannot use mouse and keyboard now; undefined if they can. */
  whyNotDriving(): string | undefined;
  /** Hands over mouse and keyboard. Returns the reason if that is refused. */
  drive(to: SessionMessage<'drive'>['to']): string | undefined;
  shield: Shield;
  leave(): void;
}

export interface Participants {
  join(participant: Participant): Seat;
  /**
   * Asks the person at the device one question after the other. While a question is open, no operator can use mouse and
   * keyboard, because only the person may press the answer.
   */
  withInputBlocked<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

interface State {
  /** By seat. */
  participants: Map<number, Participant>;
  shields: Shields;
  lastSeat: number;
  /** The seat that controls mouse and keyboard; undefined while everyone may. */
  driver: number | undefined;
  /** The person at the device is being asked a question. */
  isInputBlocked: boolean;
  /** Resolves when the last question in the queue is answered. */
  asking: Promise<unknown>;
}

export function createParticipants(): Participants {
  const state: State = {
    participants: new Map(),
    shields: createShields(() => tellAll(state)),
    lastSeat: 0,
    driver: undefined,
    isInputBlocked: false,
    asking: Promise.resolve(),
  };
  return {
    join: (participant) => join(state, participant),
    withInputBlocked: (ask) => withInputBlocked(state, ask),
  };
}

function join(state: State, participant: Participant): Seat {
  const number = (state.lastSeat += 1);
  state.participants.set(number, participant);
  tellAll(state);
  return {
    number,
    whyNotDriving: () => whyNotDriving(state, number),
    drive: (to) => drive(state, number, to),
    shield: state.shields.of(number, participant.name),
    leave: () => leave(state, number),
  };
}

function leave(state: State, seat: number): void {
  if (!state.participants.delete(seat)) return;
  if (state.driver === seat) state.driver = undefined;
  tellAll(state);
}

function tellAll({ participants, shields, driver }: State): void {
  for (const [own, participant] of participants)
    participant.tell({
      people: [...participants].map(([seat, { name }]) => ({
        seat,
        name,
        driver: seat === driver,
        you: seat === own,
        shield: shields.isUpBy(seat),
      })),
    });
}

function drive(state: State, seat: number, to: SessionMessage<'drive'>['to']): string | undefined {
  const next = to === 'everyone' ? undefined : to === 'me' ? seat : to;
  const whyNot = next === undefined ? undefined : whyNotHandOver(state, seat, next);
  if (whyNot === undefined) handOver(state, next);
  return whyNot;
}

function whyNotHandOver({ participants, driver }: State, seat: number, next: number): string | undefined {
  if (!participants.get(next)?.mayDrive) return 'That person is not allowed to use the mouse and keyboard.';
  if (next !== seat && driver !== undefined && driver !== seat)
    return 'Only the person who controls the mouse and keyboard can hand them over.';
  return undefined;
}

function handOver(state: State, to: number | undefined): void {
  state.driver = to;
  if (to !== undefined)
    for (const [seat, participant] of state.participants) if (seat !== to) participant.releaseInput();
  tellAll(state);
}

function whyNotDriving({ participants, driver, isInputBlocked }: State, seat: number): string | undefined {
  if (isInputBlocked) return 'The person at the device is being asked a question.';
  if (driver === undefined || driver === seat) return undefined;
  return `${participants.get(driver)!.name} controls the mouse and keyboard.`;
}

function withInputBlocked<Answer>(state: State, ask: () => Promise<Answer>): Promise<Answer> {
  const answered = state.asking.then(async () => {
    state.isInputBlocked = true;
    state.participants.forEach((participant) => participant.releaseInput());
    try {
      return await ask();
    } finally {
      state.isInputBlocked = false;
    }
  });
  state.asking = answered.catch(() => {});
  return answered;
}
