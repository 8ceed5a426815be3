/** `server show`: the address and the certificate of the server on this machine, as its settings name them. The CLI asks for them too. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { certificateFiles } from './checks/certificate.ts';
import { isFailure, type AdminCommand } from './command.ts';
import { localAddress } from './local-host.ts';
import { configOf } from './store-access.ts';

export const serverShow: AdminCommand = {
  name: 'server show',
  says: 'Show the address, the data folder and the certificate of the server on this machine.',
  options: {},
  async run(_args, context) {
    const config = await configOf(context);
    if (isFailure(config)) return config;
    const data = {
      server: await localUrl(config),
      public_url: config.publicUrl,
      data: config.data,
      certificate: certificateFiles(config).cert,
      fingerprint: fingerprintOf(certificateFiles(config).cert),
    };
    const lines = Object.entries(data).map(([name, value]) => `${name.padEnd(11)}  ${value ?? '-'}`);
    return { data, says: lines.join('\n') };
  },
};

/** Null if the server listens on any free port, which only its log tells, or the address is not one of this machine. */
async function localUrl({ listen }: Config): Promise<string | null> {
  const host = listen.port === 0 ? undefined : await localAddress(listen.host);
  if (host === undefined) return null;
  return new URL(`https://${host.includes(':') ? `[${host}]` : host}:${listen.port}`).origin;
}

/** Null if there is no certificate yet, or this user cannot read it. */
function fingerprintOf(file: string): string | null {
  try {
    return new X509Certificate(readFileSync(file)).fingerprint256;
  } catch {
    return null;
  }
}
