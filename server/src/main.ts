/** Starts the server, says how to reach it, and ends it when told to. */
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { startServer, StartRefused, type RunningServer } from './server.ts';
import { welcome } from './welcome.ts';

const loaded = await loadConfig();
if (loaded.problems) {
  for (const problem of loaded.problems) console.error(problem);
  process.exit(2);
}
const log = createLog({ level: loaded.config.logLevel });

const server = await startServer(loaded.config, log).catch(async (error: unknown) => {
  console.error(error instanceof StartRefused ? error.message : describe(error));
  await log.flush();
  process.exit(1);
});
console.log(welcome(server));
log.info(
  { origin: server.config.publicUrl, database: server.config.database ? 'postgres' : 'sqlite' },
  'started',
);
endOnSignals(server);

function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'EADDRINUSE')
    return `Something else already listens on ${loaded.config!.listen.host}:${loaded.config!.listen.port}; choose another with DRAWBRIDGE_LISTEN.`;
  return `Drawbridge could not start: ${message ?? String(error)}`;
}

/** The first signal drains, the second ends at once. A signal that arrives twice within a second is one. */
function endOnSignals(running: RunningServer): void {
  let first = 0;
  const end = (signal: string): void => {
    if (first > 0 && performance.now() - first > 1_000) process.exit(1);
    if (first > 0) return;
    first = performance.now();
    log.info({ signal }, 'stopping');
    void running
      .close(running.config.drainSeconds * 1_000)
      .then(() => log.flush())
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
