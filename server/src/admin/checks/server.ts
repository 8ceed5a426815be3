/** Checks whether a server runs on the data folder and answers at the configured address. */
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../store/engine/database.ts';
import { lockFolder } from '../../store/engine/lock.ts';
import { localHost } from '../local-host.ts';
import { errorText } from '../store-access.ts';
import { certificateFiles } from './certificate.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'server';
const healthTimeoutMs = 5_000;

export async function serverChecks(config: Config): Promise<Finding[]> {
  const { host, port } = config.listen;
  try {
    if (!isRunning(config.data)) return [ok(name, 'No server is running on the data folder.')];
    if (port === 0)
      return [warning(name, 'A server is running. It was not checked, because it listens on any free port.')];
    const status = await askHealth(config);
    if (status === 200) return [ok(name, `It is running and answers at https://${host}:${port}/healthz.`)];
    return [problem(name, `It answers https://${host}:${port}/healthz with ${status}: read its log.`)];
  } catch (error) {
    return [
      problem(
        name,
        `It is running but does not answer at ${host}:${port} (${errorText(error)}): read its log.`,
      ),
    ];
  }
}

/** A folder without a lock file never had a server. The lock is taken and released at once. */
function isRunning(folder: string): boolean {
  if (!existsSync(join(folder, 'server.lock'))) return false;
  const lock = lockFolder(folder);
  lock?.release();
  return lock === undefined;
}

/** The HTTP status of /healthz, over TLS that trusts only the server's own certificate, regardless of its names. */
function askHealth(config: Config): Promise<number> {
  const { host, port } = config.listen;
  const options = {
    host: localHost(host),
    port,
    path: '/healthz',
    ca: readFileSync(certificateFiles(config).cert),
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
    agent: false,
    signal: AbortSignal.timeout(healthTimeoutMs),
  } as const;
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once('error', reject).end();
  });
}
