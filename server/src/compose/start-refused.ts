/** Reasons not to start that an administrator can fix. */
import { variableOf } from '../config/names.ts';

export class StartRefused extends Error {}

interface Endpoint {
  host: string;
  port: number;
}

/** Opens a port; if it is in use, the error names the setting to change. */
export async function listenOrRefuse<T, P extends Endpoint>(
  setting: 'listen' | 'metrics_listen' | 'acme_http_listen',
  endpoint: P,
  open: (endpoint: P) => Promise<T>,
): Promise<T> {
  try {
    return await open(endpoint);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new StartRefused(
      `Another program already listens on ${endpoint.host}:${endpoint.port}; choose another address with ${variableOf(setting)}.`,
      { cause: error },
    );
  }
}
