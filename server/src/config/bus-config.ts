/** How the settings say that NATS is reached. */
import { resolve } from 'node:path';
import type { Settings } from './schema.ts';

export interface BusConfig {
  addresses: readonly string[];
  /** Absolute paths of files; undefined where the settings do not name them. */
  credentials: string | undefined;
  ca: string | undefined;
  cert: string | undefined;
  key: string | undefined;
}

export function busOf(settings: Partial<Settings>, cwd: string): BusConfig | undefined {
  const { bus: addresses, bus_credentials: credentials, bus_ca: ca, bus_cert: cert, bus_key: key } = settings;
  const absolute = (path: string | undefined): string | undefined => path && resolve(cwd, path);
  return (
    addresses && {
      addresses,
      credentials: absolute(credentials),
      ca: absolute(ca),
      cert: absolute(cert),
      key: absolute(key),
    }
  );
}
