/** Signs the tickets for the relay and the grant for the device, each valid for a minute. */
import {
  encodeBody,
  fromBase64url,
  signedBytes,
  toBase64url,
  withSignature,
  type Grant,
  type Purpose,
  type Statement,
} from '@drawbridge/contract/session/signed';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import type { Identity } from '../gateway/devices/identity.ts';

/** A relay in another region to which the two sides of a session are sent. */
export interface RelayTarget {
  url: string;
  /** Its Ed25519 key in base64url. */
  key: string;
}

/** The content of a grant, besides its recipient, times and nonce. */
export interface GrantTerms {
  session: number;
  pair: string;
  operatorKey: string;
  operator: { name: string; address: string };
  /** Why the operator was given access for a while; empty if it lasts. */
  reason: string;
  permissions: readonly string[];
  confirm: boolean;
  /** Whether the session may switch to a direct connection. */
  direct: boolean;
  record?: Grant['record'];
}

export interface Signer {
  publicKey: string;
  /** For the relay `remote`, or for those of the servers. */
  ticket(
    side: Side,
    terms: Pick<GrantTerms, 'pair' | 'permissions'> & { remote?: RelayTarget | undefined },
  ): string;
  grant(deviceKey: string, terms: GrantTerms): string;
  /** Creates the id of a new pairing. */
  pair(): string;
}

/** How long tickets and grants are valid, in seconds. */
const lifetime = 60;
const idBytes = 16;

const decoder = new TextDecoder();

interface SignerDeps {
  identity: Identity;
  random: { bytes(count: number): Uint8Array };
  now(): number;
  /** The node at which the two sides meet; undefined on a server that is alone. */
  node: string | undefined;
  /** The STUN servers of direct connections; undefined where these are switched off. */
  iceServers(): readonly string[] | undefined;
}

export function createSigner({ identity, random, now, node, iceServers }: SignerDeps): Signer {
  const sign = <Name extends Purpose>(purpose: Name, statement: Statement<Name>): string => {
    const body = encodeBody(purpose, statement);
    return withSignature(body, fromBase64url(identity.sign(decoder.decode(signedBytes(purpose, body)))));
  };
  const randomId = (): string => toBase64url(random.bytes(idBytes));
  return {
    publicKey: identity.publicKey,
    pair: randomId,
    ticket: (side, { pair, permissions, remote }) => {
      const body = {
        v: 1 as const,
        pair,
        side,
        permissions: [...permissions],
        node,
        exp: now() + lifetime,
      };
      return remote ? sign('remote_ticket', { ...body, relay: remote.key }) : sign('ticket', body);
    },
    grant: (deviceKey, { session, pair, operatorKey, operator, permissions, confirm, direct, ...more }) =>
      sign('grant', {
        v: 1,
        session,
        pair,
        device_key: deviceKey,
        operator_key: operatorKey,
        operator,
        reason: more.reason === '' ? undefined : more.reason,
        permissions: [...permissions],
        confirm,
        record: more.record,
        ice: direct ? iceServers()?.slice() : undefined,
        nbf: now(),
        exp: now() + lifetime,
        nonce: randomId(),
      }),
  };
}
