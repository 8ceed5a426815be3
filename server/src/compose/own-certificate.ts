/** The certificate that the server creates for itself where the settings name none. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { chownToFolderOwner } from '../store/blobs/durable-files.ts';
import { loadOrCreateCertificate, type ServerCertificate } from '../tls/certificate.ts';

/** The names for which a self-signed certificate is valid in addition to the machine's own. */
const certificateNames = (config: Config): string[] => [
  hostname(),
  new URL(config.publicUrl).hostname,
  config.listen.host,
];

export async function ownCertificate(config: Config): Promise<ServerCertificate> {
  const folder = join(config.data, 'tls');
  const certificate = await loadOrCreateCertificate(folder, certificateNames(config));
  const { created, certFile, keyFile } = certificate;
  if (created) for (const made of [folder, certFile, keyFile]) chownToFolderOwner(made);
  return certificate;
}
