/** Answers TLS-ALPN-01 challenges (RFC 8737) on the server's own port, while an authority checks a name. */
import type { Socket } from 'node:net';
import { createSecureContext, createServer } from 'node:tls';

/** The open challenges, by name. */
export interface TlsChallenges {
  isTlsPending(): boolean;
  certificateOf(name: string): { cert: string; key: string } | undefined;
}

const protocol = 'acme-tls/1';

/** Whether the first message of the client, of which these are the first bytes, has not arrived completely. */
export const isPartialHello = (bytes: Buffer): boolean =>
  bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3);

/** No other client offers this protocol, so a search in the first message is enough. */
export const isChallenge = (hello: Buffer): boolean => hello.includes(protocol);

/** Takes connections that offered the protocol. They end after the handshake, which is the answer. */
export function createChallengeServer(
  challenges: TlsChallenges,
  handshakeMs: number,
): (socket: Socket) => void {
  const server = createServer({
    ALPNProtocols: [protocol],
    handshakeTimeout: handshakeMs,
    SNICallback: (name, done) => {
      const pair = challenges.certificateOf(name);
      if (pair) done(null, createSecureContext({ ...pair, minVersion: 'TLSv1.2' }));
      else done(new Error('there is no challenge for this name'));
    },
  });
  server.on('secureConnection', (socket) => void socket.on('error', () => {}).end());
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return (socket) => void server.emit('connection', socket);
}
