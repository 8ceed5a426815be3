/** A WebSocket from a browser to the relay: shows the ticket, waits for the other side and carries frames. */
import { leaveCodes, relayCloseCodes } from '@drawbridge/contract/close-codes';
import { relayProtocol } from '@drawbridge/contract/session/open';
import type { Bytes } from '@drawbridge/contract/session/binary';
import type { RelayListener, RelayTransport } from '../ports.ts';

const lowWaterMark = 256 * 1_024;
/** A WebSocket of a browser does not tell when it has sent its buffer. */
const pollMs = 4;

export function openRelaySocket(
  at: { relay: string; ticket: string },
  listener: RelayListener,
): RelayTransport {
  const socket = new WebSocket(at.relay, relayProtocol);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send(at.ticket));
  socket.addEventListener('message', (event) => {
    const data = event.data as string | ArrayBuffer;
    if (typeof data !== 'string') listener.onFrame(new Uint8Array(data));
    else if (data === 'paired') listener.onPaired();
  });
  socket.addEventListener('close', ({ code, reason }) =>
    listener.onClose({ reason, isEndedByServer: code === relayCloseCodes.ended.code }),
  );
  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;
  return {
    send(frame) {
      if (isOpen()) socket.send(frame as Bytes);
    },
    buffered: () => socket.bufferedAmount,
    async drained() {
      while (isOpen() && socket.bufferedAmount > lowWaterMark)
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    },
    close: (willReturn) => socket.close(willReturn ? leaveCodes.page_returning : leaveCodes.left),
  };
}
