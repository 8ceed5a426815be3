/** Detects servers on the database that the bus does not reach: they use another NATS, or NATS is divided. */
import { noResponder, type Bus } from '../../bus/bus.ts';
import type { Log } from '../../edges/log.ts';
import type { NodeRecord } from '../../store/nodes/node-records.ts';

/** At this subject a node answers the others. */
export const probeSubject = (node: string): string => `nodes.${node}.probe`;

const here = 'here';
const timeoutMs = 2_000;

/** Whether a node with this name is on the bus; undefined if that is not certain, because it may be frozen or NATS away. */
export async function isOnBus(bus: Bus, node: string): Promise<boolean | undefined> {
  const answer = await bus.request(probeSubject(node), {}, timeoutMs);
  return answer === here ? true : answer === noResponder ? false : undefined;
}

/** Resolves to whether the node answers on the bus; undefined for one that cannot be asked. */
export async function answersOnBus(bus: Bus, { endpoint }: NodeRecord): Promise<boolean | undefined> {
  if (endpoint?.probe === undefined) return undefined;
  return (await bus.request(endpoint.probe, {}, timeoutMs)) === here;
}

export interface NodeProbes {
  /** Asks the other nodes that are alive, and logs which of them do not answer. */
  ask(others: readonly NodeRecord[]): Promise<void>;
  /** How many of them answered the last time. */
  reached(): number;
  close(): void;
}

interface ProbeOptions {
  log: Pick<Log, 'info' | 'error'>;
  /** How long a node counts as alive after it said so. One that does not answer for longer is reported. */
  aliveSeconds: number;
}

interface SilentNode {
  /** In seconds of a monotonic clock. */
  since: number;
  isLogged: boolean;
}

const silentText =
  'another server runs on this database but does not answer on the bus: give all of them a DRAWBRIDGE_BUS that leads to the same NATS';

export function startProbes(bus: Bus, node: string, { log, aliveSeconds }: ProbeOptions): NodeProbes {
  const silent = new Map<string, SilentNode>();
  const ownHint = `${probeSubject(node)}.own`;
  let isBusUp = false;
  let reached = 0;
  const ends = [
    bus.answer(probeSubject(node), async () => here),
    bus.subscribe(ownHint, () => (isBusUp = true)),
  ];
  const note = (id: string, answers: boolean | undefined): void => {
    const now = performance.now() / 1_000;
    const { since, isLogged } = silent.get(id) ?? { since: now, isLogged: false };
    if (answers === false) {
      const isLong = now - since > aliveSeconds;
      if (isLong && !isLogged) log.error({ node: id }, silentText);
      silent.set(id, { since, isLogged: isLogged || isLong });
    } else if (silent.delete(id) && isLogged) log.info({ node: id }, 'that server answers on the bus now');
  };
  return {
    async ask(others) {
      const ids = new Set(others.map(({ id }) => id));
      for (const id of silent.keys()) if (!ids.has(id)) silent.delete(id);
      // It returns from NATS before any answer. If it does not, it is this node that the bus does not reach.
      isBusUp = false;
      bus.publish(ownHint, {});
      const answers = await Promise.all(others.map((other) => answersOnBus(bus, other)));
      reached = answers.filter((answer) => answer === true).length;
      if (isBusUp) others.forEach(({ id }, at) => note(id, answers[at]));
    },
    reached: () => reached,
    close: () => ends.forEach((end) => end()),
  };
}
