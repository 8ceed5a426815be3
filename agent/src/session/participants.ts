/** Who is connected to the device at the same time, and which of them holds mouse and keyboard. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { createShields, type Shield } from './shield.ts';

export interface Participant {
  name: string;
  /** Whether the grant lets them hold mouse and keyboard at all. */
  mayDrive: boolean;
  tell(people: SessionMessage<'people'>): void;
  /** Somebody else holds mouse and keyboard from now on: what this one has pressed is let go. */
  releaseInput(): void;
}

export interface Seat {
  number: number;
  /** A sentence why this one may not move mouse and keyboard now; undefined when they may. */
  whyNotDriving(): string | undefined;
  /** A sentence why not; undefined when it was done. */
  drive(to: SessionMessage<'drive'>['to']): string | undefined;
  shield: Shield;
  leave(): void;
}

export interface Participants {
  join(participant: Participant): Seat;
  /**
   * Asks the person at the device something: one question after the other, as an answer is for one of them, and while one is
   * open nobody who is connected moves mouse and keyboard, as only the person may press the answer.
   */
  withInputBlocked<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

export function createParticipants(): Participants {
  const participants = new Map<number, Participant>();
  let [lastSeat, isInputBlocked] = [0, false];
  let asking: Promise<unknown> = Promise.resolve();
  let driver: number | undefined;

  const tellAll = (): void => {
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
  };
  const shields = createShields(tellAll);
  const handOver = (to: number | undefined): void => {
    driver = to;
    if (to !== undefined)
      for (const [seat, participant] of participants) if (seat !== to) participant.releaseInput();
    tellAll();
  };
  const whyNotHandOver = (seat: number, next: number): string | undefined => {
    if (!participants.get(next)?.mayDrive) return 'That person is not allowed to use the mouse and keyboard.';
    if (next !== seat && driver !== undefined && driver !== seat)
      return 'Only the person who controls the mouse and keyboard can hand them over.';
    return undefined;
  };
  const drive = (seat: number, to: SessionMessage<'drive'>['to']): string | undefined => {
    const next = to === 'everyone' ? undefined : to === 'me' ? seat : to;
    const whyNot = next === undefined ? undefined : whyNotHandOver(seat, next);
    if (whyNot === undefined) handOver(next);
    return whyNot;
  };
  const whyNotDriving = (seat: number): string | undefined => {
    if (isInputBlocked) return 'The person at the device is being asked a question.';
    if (driver === undefined || driver === seat) return undefined;
    return `${participants.get(driver)!.name} controls the mouse and keyboard.`;
  };

  return {
    join(participant) {
      const number = (lastSeat += 1);
      participants.set(number, participant);
      tellAll();
      return {
        number,
        whyNotDriving: () => whyNotDriving(number),
        drive: (to) => drive(number, to),
        shield: shields.of(number, participant.name),
        leave() {
          if (!participants.delete(number)) return;
          if (driver === number) driver = undefined;
          tellAll();
        },
      };
    },
    withInputBlocked(ask) {
      const answered = asking.then(async () => {
        isInputBlocked = true;
        participants.forEach((participant) => participant.releaseInput());
        try {
          return await ask();
        } finally {
          isInputBlocked = false;
        }
      });
      asking = answered.catch(() => {});
      return answered;
    },
  };
}
