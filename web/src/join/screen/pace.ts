/** How fast pictures may follow each other to one operator, and how good they may be: learned from what is acknowledged. */

export type Quality = 'auto' | 'sharp' | 'fast';

export interface Pace {
  /** Whether one more picture may leave. */
  isOpen(): boolean;
  /** Pictures that were sent and are not yet on the operator's screen. */
  underWay(): number;
  sent(number: number, now: number): void;
  /** Those up to this number are on the operator's screen. */
  shown(number: number, now: number): void;
  /** Bits in a second that video may take. */
  bitrate(): number;
  /** Of JPEG, 0 to 1. */
  jpeg(): number;
  balance(quality: Quality): void;
  /** The operator starts over: what is under way is not waited for. */
  restart(): void;
}

const balances: Record<Quality, { bitrate: number; jpeg: number }> = {
  auto: { bitrate: 6_000_000, jpeg: 0.75 },
  sharp: { bitrate: 16_000_000, jpeg: 0.9 },
  fast: { bitrate: 2_000_000, jpeg: 0.5 },
};
const lowest = { bitrate: 250_000, jpeg: 0.3 };
const first = { bitrate: 3_000_000, jpeg: 0.7 };

const [fewest, most] = [2, 10];
/** About the time between two pictures: so many more are under way as fit into the shortest delay. */
const pictureMs = 40;
/** The shortest delay of this time and of the one before counts: the way may become another. */
const periodMs = 10_000;
const weight = 0.2;
/** When the delay has grown by so much, less is sent; below this, more. */
const [crowdedMs, freeMs] = [80, 35];
const adjustMs = 250;

export function createPace(): Pace {
  const waiting = new Map<number, number>();
  let highest = balances.auto;
  let { bitrate, jpeg } = first;
  let [before, current, turnedAt] = [Infinity, Infinity, 0];
  let [shortest, mean, adjustedAt] = [Infinity, 0, 0];

  const measure = (delay: number, now: number): void => {
    if (now - turnedAt > periodMs) [before, current, turnedAt] = [current, Infinity, now];
    current = Math.min(current, delay);
    shortest = Math.min(before, current);
    mean = mean === 0 ? delay : mean * (1 - weight) + delay * weight;
  };
  const limit = (): void => {
    bitrate = Math.min(Math.max(bitrate, lowest.bitrate), highest.bitrate);
    jpeg = Math.min(Math.max(jpeg, lowest.jpeg), highest.jpeg);
  };
  const adjust = (now: number): void => {
    if (now - adjustedAt < adjustMs) return;
    adjustedAt = now;
    const excess = mean - shortest;
    if (excess > crowdedMs) [bitrate, jpeg] = [bitrate * 0.75, jpeg - 0.05];
    else if (excess < freeMs) [bitrate, jpeg] = [bitrate * 1.08 + 20_000, jpeg + 0.01];
    limit();
  };
  const window = (): number =>
    shortest === Infinity ? fewest : Math.min(most, Math.max(fewest, Math.ceil(shortest / pictureMs) + 1));

  return {
    isOpen: () => waiting.size < window(),
    underWay: () => waiting.size,
    sent: (number, now) => void waiting.set(number, now),
    shown(number, now) {
      const sentAt = waiting.get(number);
      for (const each of waiting.keys()) if (each <= number) waiting.delete(each);
      if (sentAt === undefined) return;
      measure(now - sentAt, now);
      adjust(now);
    },
    bitrate: () => Math.round(bitrate),
    jpeg: () => jpeg,
    balance(quality) {
      highest = balances[quality];
      if (quality === 'sharp') [bitrate, jpeg] = [highest.bitrate / 2, highest.jpeg];
      limit();
    },
    restart: () => waiting.clear(),
  };
}
