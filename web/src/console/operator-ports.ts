/** What an operator's session uses of the browser. */
import { browserCrypto } from '@drawbridge/session/browser/crypto';
import { openDirectPeer } from '@drawbridge/session/browser/direct-peer';
import { openRelaySocket } from '@drawbridge/session/browser/relay-socket';
import type { OperatorPorts } from '@drawbridge/session/operator/context';
import { sanitizePayload } from '../ui/sanitize-payload.ts';

export const operatorPorts: Pick<OperatorPorts, 'crypto' | 'openRelay' | 'openPeer' | 'sanitize'> = {
  crypto: browserCrypto,
  openRelay: openRelaySocket,
  openPeer: openDirectPeer,
  sanitize: sanitizePayload,
};
