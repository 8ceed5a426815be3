/** Whether a grant is valid on this device: signed by its server, meant for it, current, and never used before. */
import { createProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import type { Grant } from '@drawbridge/contract/session/signed';
import { readGrant } from './handshake.ts';
import type { SessionCrypto } from './ports.ts';

export interface GrantReader {
  /** The grant, or the reason why it is not valid. A grant that was read is used up. */
  read(
    text: string,
    expected: { serverKey: string; deviceKey: string; now: number },
  ): Promise<Grant | SessionProblem<'bad_grant'>>;
}

/** Seconds by which the clocks of server and device may differ; decision 0022 says why so many. */
const clockSkewSeconds = 300;
const maxRemembered = 10_000;

const bad = (message: string): SessionProblem<'bad_grant'> => createProblem('bad_grant', message);

export function createGrantReader(crypto: SessionCrypto): GrantReader {
  const usedNonces = new Set<string>();
  return {
    async read(text, { serverKey, deviceKey, now }) {
      const grant = serverKey === '' ? undefined : await readGrant(crypto, text, serverKey);
      if (!grant) return bad('The grant is not signed by the server of this device.');
      if (grant.device_key !== deviceKey) return bad('The grant is for another device.');
      if (now < grant.nbf - clockSkewSeconds || now > grant.exp + clockSkewSeconds)
        return bad('The grant has expired, or the clock of the device is wrong.');
      if (usedNonces.has(grant.nonce)) return bad('The grant was used before.');
      usedNonces.add(grant.nonce);
      if (usedNonces.size > maxRemembered) usedNonces.delete(usedNonces.values().next().value!);
      return grant;
    },
  };
}
