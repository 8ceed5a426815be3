/** Starts the server, says how to reach it, and ends it when told to. */
import { existsSync, statfsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadConfig } from './config/config.ts';
import { createLog } from './edges/log.ts';
import { startServer, type RunningServer } from './compose/server.ts';
import { StartRefused } from './compose/start-refused.ts';
import { isDiskFull, isOutage } from './store/outages.ts';
import { startMessage } from './compose/first-start.ts';

const { values: options } = parseArgs({ options: { roles: { type: 'string' } }, strict: false });
const roles = typeof options.roles === 'string' && { DRAWBRIDGE_ROLES: options.roles };
const loaded = await loadConfig({ env: { ...process.env, ...roles } });
if (loaded.problems) {
  for (const problem of loaded.problems) console.error(problem);
  process.exit(2);
}
const dataFolder = loaded.config.data;
const log = createLog({ level: loaded.config.logLevel });

const server = await startServer(loaded.config, log).catch(async (error: unknown) => {
  console.error(error instanceof StartRefused ? error.message : describe(error));
  await log.flush();
  process.exit(1);
});
console.log(startMessage(server));
log.info(
  {
    origin: server.config.publicUrl,
    database: server.config.database ? 'postgres' : 'sqlite',
    roles: server.config.roles,
  },
  'started',
);
endOnSignals(server);
void server.broken.then((error) => {
  log.error({ err: error }, 'the server cannot continue and exits, so that it can be started again');
  return flushAndExit(1);
});

/** Why it could not start, in one sentence. */
function describe(thrown: unknown): string {
  const error = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown;
  const { code, syscall, path, address, port, message } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall === 'connect')
    return `PostgreSQL does not answer at ${address}:${port} (${code}); start it, or correct DRAWBRIDGE_DATABASE.`;
  if (isDiskFull(error) || (isOutage(error) && hasNoSpace(dataFolder)))
    return code === '53100'
      ? 'PostgreSQL at DRAWBRIDGE_DATABASE has no space left on its disk. Free some, then start the server again.'
      : `There is no space left on the disk of ${path ?? dataFolder}. Free some, then start the server again.`;
  if (path !== undefined) return `Drawbridge could not start because it cannot use ${path} (${code}).`;
  return `Drawbridge could not start: ${(message ?? String(error)).replace(/\.?$/, '.')}`;
}

/** SQLite reports some writes that find no space as other errors, and has removed its temporary files by now. */
function hasNoSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 1_024 * 1_024;
}

/** How long what is left may take to close once the requests are done. */
const closeTimeoutMs = 4_000;

async function flushAndExit(code: number): Promise<never> {
  await log.flush();
  process.exit(code);
}

/** The first signal drains, the second ends at once. A signal that arrives twice within a second is one. */
function endOnSignals(running: RunningServer): void {
  let first = 0;
  const stop = (signal: string): void => {
    if (first > 0 && performance.now() - first > 1_000) process.exit(1);
    if (first > 0) return;
    first = performance.now();
    log.info({ signal }, 'stopping');
    const graceMs = running.config.drainSeconds * 1_000;
    setTimeout(() => void flushAndExit(1), graceMs + closeTimeoutMs).unref();
    running.close(graceMs).then(
      () => flushAndExit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        return flushAndExit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
