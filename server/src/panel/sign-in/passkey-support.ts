/** The address of the server, as signing in depends on it. */
import { isIP } from 'node:net';

/** Passkeys belong to a name; an address of the network is none. */
export function supportsPasskeys(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}
