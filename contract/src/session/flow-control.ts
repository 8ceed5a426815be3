/** How pictures flow to one operator, learned from what is acknowledged: how many may be under way, and whether more or less fits. */

export interface FlowControl {
  /** Whether one more picture may leave. */
  isOpen(): boolean;
  /** Pictures that were sent and are not yet on the operator's screen. */
  inFlight(): number;
  sent(number: number, now: number): void;
  /** Those up to this number are on the operator's screen. */
  shown(number: number, now: number): void;
  /** Milliseconds from sending to showing: the shortest of late, and how much longer it takes now. */
  delay(): { shortest: number; excess: number };
  /** The operator starts over: what is under way is not waited for. */
  restart(): void;
}

export interface FlowControlOptions {
  /** The most pictures under way. */
  maxInFlight: number;
  /** About the time between two pictures: so many more are under way as fit into the shortest delay. */
  frameIntervalMs: number;
  /** The way is crowded, or has room. */
  adjust(to: 'less' | 'more'): void;
}

const minInFlight = 2;
/** The shortest delay of this time and of the one before counts: the way may become another. */
const periodMs = 10_000;
/** How much a new measurement counts. */
const weight = 0.2;
/** When the delay has grown by so much, less is sent; below this, more. */
const [congestedMs, freeMs] = [80, 35];
const adjustMs = 250;

export function createFlowControl({ maxInFlight, frameIntervalMs, adjust }: FlowControlOptions): FlowControl {
  const waiting = new Map<number, number>();
  let [before, current, periodStartedAt] = [Infinity, Infinity, 0];
  let [shortest, mean, adjustedAt] = [Infinity, 0, 0];

  const measure = (delay: number, now: number): void => {
    if (now - periodStartedAt > periodMs) [before, current, periodStartedAt] = [current, Infinity, now];
    current = Math.min(current, delay);
    shortest = Math.min(before, current);
    mean = mean === 0 ? delay : mean * (1 - weight) + delay * weight;
  };
  const excess = (): number => (shortest === Infinity ? 0 : Math.max(0, mean - shortest));
  const react = (now: number): void => {
    if (now - adjustedAt < adjustMs) return;
    adjustedAt = now;
    if (excess() > congestedMs) adjust('less');
    else if (excess() < freeMs) adjust('more');
  };
  const window = (): number =>
    shortest === Infinity
      ? minInFlight
      : Math.min(maxInFlight, Math.max(minInFlight, Math.ceil(shortest / frameIntervalMs) + 1));

  return {
    isOpen: () => waiting.size < window(),
    inFlight: () => waiting.size,
    sent: (number, now) => void waiting.set(number, now),
    shown(number, now) {
      const sentAt = waiting.get(number);
      for (const each of waiting.keys()) if (each <= number) waiting.delete(each);
      if (sentAt === undefined) return;
      measure(now - sentAt, now);
      react(now);
    },
    delay: () => ({ shortest, excess: excess() }),
    restart: () => waiting.clear(),
  };
}
