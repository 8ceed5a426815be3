/** Flow control of screen updates to one operator: acknowledgements decide how many may be in flight and whether to send more. */

export interface FlowControl {
  /** Whether another update can be sent. */
  isOpen(): boolean;
  /** The number of updates that were sent and are not shown yet. */
  inFlight(): number;
  sent(number: number, now: number): void;
  /** The updates up to this number are on the operator's screen. */
  shown(number: number, now: number): void;
  /** Milliseconds from sending to showing: the recent minimum, by how much the current mean exceeds it, and the last one. */
  delay(): { shortest: number; excess: number; last: number };
  /** The operator starts over: updates in flight are no longer awaited. */
  restart(): void;
}

export interface FlowControlOptions {
  /** The most updates in flight. */
  maxInFlight: number;
  /** Approximate time between two updates. The window grows by as many as fit into the shortest delay. */
  frameIntervalMs: number;
  /** Called when the connection is congested (`less`) or has spare capacity (`more`). */
  adjust(to: 'less' | 'more'): void;
}

const minInFlight = 2;
/** The minimum of the current and the previous period counts, because the route can change. */
const periodMs = 10_000;
/** Weight of a new measurement in the moving average. */
const weight = 0.2;
/** Above the first excess delay less is sent, below the second more. */
const [congestedMs, freeMs] = [80, 35];
const adjustMs = 250;

export function createFlowControl({ maxInFlight, frameIntervalMs, adjust }: FlowControlOptions): FlowControl {
  const waiting = new Map<number, number>();
  let [before, current, periodStartedAt] = [Infinity, Infinity, 0];
  let [shortest, mean, last, adjustedAt] = [Infinity, 0, 0, 0];

  const measure = (delay: number, now: number): void => {
    if (now - periodStartedAt > periodMs) [before, current, periodStartedAt] = [current, Infinity, now];
    last = delay;
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
    delay: () => ({ shortest, excess: excess(), last }),
    restart: () => waiting.clear(),
  };
}
