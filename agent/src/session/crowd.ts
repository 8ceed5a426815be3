/** Who is connected to the device at the same time, and which of them holds mouse and keyboard. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { createShields, type Shield } from './shield.ts';

export interface Member {
  name: string;
  /** Whether the grant lets them hold mouse and keyboard at all. */
  mayDrive: boolean;
  tell(people: SessionMessage<'people'>): void;
  /** Somebody else holds mouse and keyboard from now on: what this one has pressed is let go. */
  rest(): void;
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

export interface Crowd {
  join(member: Member): Seat;
  /**
   * Asks the person at the device something: one question after the other, as an answer is for one of them, and while one is
   * open nobody who is connected moves mouse and keyboard, as only the person may press the answer.
   */
  whileHushed<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

export function createCrowd(): Crowd {
  const members = new Map<number, Member>();
  let [lastSeat, isHushed] = [0, false];
  let asking: Promise<unknown> = Promise.resolve();
  let driver: number | undefined;

  const tellAll = (): void => {
    for (const [own, member] of members)
      member.tell({
        people: [...members].map(([seat, { name }]) => ({
          seat,
          name,
          driver: seat === driver,
          you: seat === own,
          shield: shields.isUpBy(seat),
        })),
      });
  };
  const shields = createShields(tellAll);
  const hand = (to: number | undefined): void => {
    driver = to;
    if (to !== undefined) for (const [seat, member] of members) if (seat !== to) member.rest();
    tellAll();
  };
  const whyNotHand = (seat: number, next: number): string | undefined => {
    if (!members.get(next)?.mayDrive) return 'That person is not allowed to use the mouse and keyboard.';
    if (next !== seat && driver !== undefined && driver !== seat)
      return 'Only the person who controls the mouse and keyboard can hand them over.';
    return undefined;
  };
  const drive = (seat: number, to: SessionMessage<'drive'>['to']): string | undefined => {
    const next = to === 'everyone' ? undefined : to === 'me' ? seat : to;
    const whyNot = next === undefined ? undefined : whyNotHand(seat, next);
    if (whyNot === undefined) hand(next);
    return whyNot;
  };
  const whyNotDriving = (seat: number): string | undefined => {
    if (isHushed) return 'The person at the device is being asked a question.';
    if (driver === undefined || driver === seat) return undefined;
    return `${members.get(driver)!.name} controls the mouse and keyboard.`;
  };

  return {
    join(member) {
      const number = (lastSeat += 1);
      members.set(number, member);
      tellAll();
      return {
        number,
        whyNotDriving: () => whyNotDriving(number),
        drive: (to) => drive(number, to),
        shield: shields.of(number, member.name),
        leave() {
          if (!members.delete(number)) return;
          if (driver === number) driver = undefined;
          tellAll();
        },
      };
    },
    whileHushed(ask) {
      const answered = asking.then(async () => {
        isHushed = true;
        members.forEach((member) => member.rest());
        try {
          return await ask();
        } finally {
          isHushed = false;
        }
      });
      asking = answered.catch(() => {});
      return answered;
    },
  };
}
