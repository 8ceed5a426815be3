/** Sends devices and sessions to the other servers when only this one cannot reach the database. */
import type { Log } from '../../edges/log.ts';
import type { Gateway } from '../../gateway/devices/gateway.ts';
import type { ComposedSessions } from '../compose-sessions.ts';
import type { Nodes } from './join-nodes.ts';

interface CutOffDeps {
  nodes: Pick<Nodes, 'isCutOff'>;
  gateway: Pick<Gateway, 'drain' | 'holds'>;
  sessions: Pick<ComposedSessions, 'deviceIds' | 'release'>;
  log: Pick<Log, 'error'>;
}

const checkEveryMs = 5_000;
/** How long it takes to send all devices away, and how long sessions wait for theirs to arrive elsewhere. */
const [devicesMs, sessionsMs] = [10_000, 20_000];

/** The database admits no device here meanwhile, so that what was sent away does not return before it is back. */
export function watchCutOff(deps: CutOffDeps): () => void {
  let [wasCutOff, isMoved] = [false, false];
  let checking: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    const isCutOff = await deps.nodes.isCutOff();
    // Once is not enough: after an outage for all, others may notice a moment earlier that the database is back.
    const mustMove = isCutOff && wasCutOff && !isMoved;
    wasCutOff = isCutOff;
    isMoved = isCutOff && (isMoved || mustMove);
    if (mustMove) await moveAway(deps);
  };
  const timer = setInterval(() => {
    checking ??= check().finally(() => (checking = undefined));
  }, checkEveryMs).unref();
  return () => clearInterval(timer);
}

async function moveAway({ gateway, sessions, log }: CutOffDeps): Promise<void> {
  log.error(
    'this server cannot reach the database, but others can: its devices and sessions are sent to them',
  );
  const sent = gateway.drain(sessions.deviceIds(), devicesMs);
  await Promise.all([sent, sessions.release(gateway.holds, sessionsMs)]);
}
