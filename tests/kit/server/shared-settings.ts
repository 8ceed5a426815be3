/** What several servers on one database must have in common: the certificate and the folders. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateCertificate } from '@drawbridge/server/tls/certificate';

export interface SharedSettings extends Disposable {
  env: Record<string, string>;
  /** The folder that holds `tls/cert.pem`. */
  folder: string;
}

export async function createSharedSettings(): Promise<SharedSettings> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-shared-'));
  const { certFile, keyFile } = await loadOrCreateCertificate(join(folder, 'tls'), [
    'localhost',
    '127.0.0.1',
  ]);
  return {
    folder,
    env: {
      DRAWBRIDGE_TLS_CERT: certFile,
      DRAWBRIDGE_TLS_KEY: keyFile,
      DRAWBRIDGE_PUBLIC_CERT: certFile,
      DRAWBRIDGE_FILES: join(folder, 'files'),
      DRAWBRIDGE_RECORDINGS: join(folder, 'recordings'),
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
