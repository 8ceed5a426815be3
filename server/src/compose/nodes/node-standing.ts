/** Whether this server can store changes: noted with each renewal of its entry, told to the others, and compared with them. */
import type { Bus } from '../../bus/bus.ts';

export interface NodeStanding {
  onStored(): void;
  onFailed(): void;
  /** Whether one of these servers can store changes, and this one could not for longer than a lease. */
  isCutOff(others: readonly string[]): Promise<boolean>;
  close(): void;
}

/** At this subject a server answers whether it can store changes. Earlier versions do not answer. */
const standingSubject = (node: string): string => `nodes.${node}.stores`;

const timeoutMs = 2_000;

/** `monotonic`: the time in seconds. */
export function createStanding(
  bus: Bus,
  node: string,
  { leaseSeconds, monotonic }: { leaseSeconds: number; monotonic(): number },
): NodeStanding {
  let failingSince: number | undefined;
  const close = bus.answer(standingSubject(node), async () => failingSince === undefined);
  return {
    onStored: () => void (failingSince = undefined),
    onFailed: () => void (failingSince ??= monotonic()),
    async isCutOff(others) {
      if (failingSince === undefined || monotonic() - failingSince < leaseSeconds) return false;
      const answers = await Promise.all(
        others.map((other) => bus.request(standingSubject(other), {}, timeoutMs)),
      );
      return failingSince !== undefined && answers.includes(true);
    },
    close,
  };
}
