/** A WebSocket from a browser to a relay, to measure the round trip. */
import { relayProtocol } from '@drawbridge/contract/session/open';
import type { OpenEcho } from '../measure-relays.ts';

export const openBrowserEcho: OpenEcho = (url, listener) => {
  const socket = new WebSocket(url, relayProtocol);
  socket.addEventListener('open', listener.onOpen);
  socket.addEventListener('message', ({ data }) => listener.onText(String(data)));
  socket.addEventListener('close', listener.onClose);
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
  };
};
