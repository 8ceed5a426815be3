/** Whether the address of the server allows passkeys. */
import { isIP } from 'node:net';

/** Passkeys belong to a domain name; an IP address has none. */
export function supportsPasskeys(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}
