/** Whether a grant counts on this device: signed by its server, meant for it, of this time, and never used before. */
import { createPublicKey, verify } from 'node:crypto';
import { decodeBody, signedBytes, splitSigned, type Grant } from '@drawbridge/contract/session/signed';

export interface GrantReader {
  /** The grant, or a sentence why it does not count. A grant that was read is used up. */
  read(text: string, known: { serverKey: string; deviceKey: string; now: number }): Grant | string;
}

/** Seconds that the clocks of server and device may be apart; decision 0022 says why so many. */
const clockAllowance = 300;
const maxRemembered = 10_000;

export function createGrantReader(): GrantReader {
  const used = new Set<string>();
  return {
    read(text, { serverKey, deviceKey, now }) {
      const grant = signedGrant(text, serverKey);
      if (!grant) return 'The grant is not signed by the server of this device.';
      if (grant.device_key !== deviceKey) return 'The grant is for another device.';
      if (now < grant.nbf - clockAllowance || now > grant.exp + clockAllowance)
        return 'The grant has expired, or the clock of the device is wrong.';
      if (used.has(grant.nonce)) return 'The grant was used before.';
      used.add(grant.nonce);
      if (used.size > maxRemembered) used.delete(used.values().next().value!);
      return grant;
    },
  };
}

function signedGrant(text: string, serverKey: string): Grant | undefined {
  const parts = splitSigned(text);
  if (!parts || serverKey === '') return undefined;
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: serverKey } });
  if (!verify(null, signedBytes('grant', parts.body), key, parts.signature)) return undefined;
  return decodeBody('grant', parts.body);
}
