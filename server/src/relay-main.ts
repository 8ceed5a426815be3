/** Starts a relay that runs alone, says how a server uses it, and ends it when told to. */
import { loadConfig } from './config/config.ts';
import { createLog } from './edges/log.ts';
import { startRemoteRelay } from './compose/relays/start-relay.ts';
import { StartRefused } from './compose/start-refused.ts';

const loaded = await loadConfig({ env: process.env });
if (loaded.problems) {
  for (const problem of loaded.problems) console.error(problem);
  process.exit(2);
}
const log = createLog({ level: loaded.config.logLevel });

const relay = await startRemoteRelay(loaded.config, log).catch(async (error: unknown) => {
  const { message } = error as Error;
  console.error(error instanceof StartRefused ? message : `The relay could not start: ${message}`);
  await log.flush();
  process.exit(1);
});
const { host, port } = relay.listen;
console.log(
  [
    `The relay is ready at ${host.includes(':') ? `[${host}]` : host}:${port}`,
    '  Add it to the settings of the server, with a name and its public address:',
    `  DRAWBRIDGE_RELAYS=NAME=wss://HOST:${port}#${relay.key}`,
    '',
  ].join('\n'),
);
log.info({ port }, 'started');

/** How long the two sides of sessions may take to leave. */
const closeTimeoutMs = 5_000;
let isStopping = false;

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  log.info('stopping');
  const exit = (code: number): void => void log.flush().then(() => process.exit(code));
  setTimeout(exit, closeTimeoutMs, 1).unref();
  relay.close().then(
    () => exit(0),
    () => exit(1),
  );
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
