/** A WebSocket from a device to a relay, to measure the round trip. */
import type { TLSSocket } from 'node:tls';
import { relayProtocol } from '@drawbridge/contract/session/open';
import { WebSocket, type ClientOptions } from 'ws';
import type { OpenEcho } from '../measure-relays.ts';

interface EchoOptions {
  /** Judges the certificate of the relay: a side that does not trust it must not be sent there. */
  isTrusted(socket: TLSSocket): boolean;
  /** How to connect, for example through a proxy. */
  socketOptions(url: string): ClientOptions | undefined;
}

export const createNodeEcho =
  ({ isTrusted, socketOptions }: EchoOptions): OpenEcho =>
  (url, listener) => {
    // Others, such as ws+unix:, name what only programs of this device should reach.
    if (!url.startsWith('wss:')) throw new Error('the address of a relay starts with wss:');
    const socket = new WebSocket(url, relayProtocol, {
      perMessageDeflate: false,
      maxPayload: 1_024,
      rejectUnauthorized: false, // isTrusted judges the certificate
      ...socketOptions(url),
    });
    socket.on('upgrade', (response) => {
      if (!isTrusted(response.socket as TLSSocket)) socket.terminate();
    });
    socket.on('open', listener.onOpen);
    socket.on('message', (data) => listener.onText((data as Buffer).toString()));
    socket.on('error', () => {});
    socket.on('close', listener.onClose);
    return {
      send: (text) => socket.send(text),
      close: () => (socket.readyState === WebSocket.OPEN ? socket.close() : socket.terminate()),
    };
  };
