/** Checks that NATS accepts this server, and that the other servers on the database answer on it. */
import type { Bus } from '../../bus/bus.ts';
import { openBus } from '../../compose/open-bus.ts';
import { answersOnBus } from '../../compose/nodes/probe-nodes.ts';
import { StartRefused } from '../../compose/start-refused.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../edges/log.ts';
import type { Finding, InspectedDatabase } from '../../store/engine/database.ts';
import { findOthersAlive } from '../../store/nodes/nodes.ts';
import { isFailure, type ProcessContext } from '../command.ts';
import { withCurrentDatabase, withOpenStore } from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'bus';
/** No node has this name: all that are alive are others. */
const doctor = '';

/** Nothing for a server that is alone. */
export async function busChecks({ bus }: Config, context: ProcessContext): Promise<Finding[]> {
  if (!bus) return [];
  const findings = await withCurrentDatabase(context, (found, config) =>
    withOpenStore(config, async (store) => {
      const [log, problems] = collectErrors();
      const opened = await openBus(bus, store, log).catch(sayRefused);
      if (typeof opened === 'string') return [problem(name, opened)];
      try {
        if (problems.length > 0)
          return [problem(name, `NATS at DRAWBRIDGE_BUS does not answer: ${problems[0]}.`)];
        return [await othersOn(opened, found, store.now())];
      } finally {
        await opened.close();
      }
    }),
  );
  return isFailure(findings)
    ? [warning(name, 'It was not checked, because its keys cannot be read from the database.')]
    : findings;
}

function sayRefused(error: unknown): string {
  if (error instanceof StartRefused) return error.message;
  throw error;
}

/** The reasons of the errors that are logged. */
function collectErrors(): [Pick<Log, 'info' | 'error'>, string[]] {
  const problems: string[] = [];
  const error: Log['error'] = (about: unknown) => void problems.push((about as { reason: string }).reason);
  return [{ info: () => {}, error }, problems];
}

async function othersOn(bus: Bus, found: InspectedDatabase, now: number): Promise<Finding> {
  const others = await found.snapshot((db) => findOthersAlive(db, doctor, now));
  const answers = await Promise.all(others.map((other) => answersOnBus(bus, other)));
  const silent = others.filter((_, at) => answers[at] === false);
  if (silent.length === 0)
    return ok(
      name,
      `NATS accepts this server; servers on the database that are alive and answer: ${others.length}.`,
    );
  const addresses = silent.map(({ endpoint }) => endpoint!.address).join(', ');
  return problem(
    name,
    `These servers run on the database but do not answer: ${addresses}. Give all of them a DRAWBRIDGE_BUS that leads to the same NATS. If they were killed just now, try again in 20 seconds.`,
  );
}
