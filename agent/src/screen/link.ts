/** What the acknowledgements tell of the way to the operator: how many pictures may be under way, and how much it carries. */

export interface Link {
  /** Whether one more picture may leave. */
  isOpen(): boolean;
  /** Pictures that were sent and not yet shown. */
  underWay(): number;
  sent(number: number, now: number): void;
  /** Those up to this number are on the operator's screen. */
  shown(number: number, now: number): void;
  /** Milliseconds from sending to showing: the shortest of late, and how much longer it takes now. */
  delay(): { shortest: number; excess: number };
  /** Thousands of bits in a second that video may take. */
  bitrate(): number;
  /** Of JPEG, 1 to 100. */
  quality(): number;
  limit(most: { bitrate: number; quality: number }): void;
}

const [fewest, most] = [2, 12];
/** About the time between two pictures: so many more are under way as fit into the shortest delay. */
const pictureMs = 33;
/** The shortest delay is found anew after so long, as the way may have become another. */
const forgetMs = 10_000;
/** How much a new measurement counts. */
const weight = 0.2;
/** When the delay has grown by so much, less is sent; below this, more. */
const [crowdedMs, freeMs] = [80, 35];
const adjustMs = 250;
const lowest = { bitrate: 300, quality: 35 };
const first = { bitrate: 4_000, quality: 75 };

export function createLink(): Link {
  const waiting = new Map<number, number>();
  let highest = { bitrate: 8_000, quality: 80 };
  let { bitrate, quality } = first;
  let [shortest, foundAt, mean, adjustedAt] = [Infinity, 0, 0, 0];

  const measure = (delay: number, now: number): void => {
    if (delay < shortest || now - foundAt > forgetMs) [shortest, foundAt] = [delay, now];
    mean = mean === 0 ? delay : mean * (1 - weight) + delay * weight;
  };
  const excess = (): number => (shortest === Infinity ? 0 : Math.max(0, mean - shortest));
  const adjust = (now: number): void => {
    if (now - adjustedAt < adjustMs) return;
    adjustedAt = now;
    if (excess() > crowdedMs) [bitrate, quality] = [bitrate * 0.75, quality - 5];
    else if (excess() < freeMs) [bitrate, quality] = [bitrate * 1.08 + 20, quality + 1];
    bitrate = Math.min(Math.max(bitrate, lowest.bitrate), highest.bitrate);
    quality = Math.min(Math.max(quality, lowest.quality), highest.quality);
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
    delay: () => ({ shortest, excess: excess() }),
    bitrate: () => Math.round(bitrate),
    quality: () => Math.round(quality),
    limit(given) {
      highest = given;
      [bitrate, quality] = [Math.min(bitrate, given.bitrate), Math.min(quality, given.quality)];
    },
  };
}
