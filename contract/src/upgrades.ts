/** Checks and rejects WebSocket upgrade requests. */

/** The part of a connection's interface that is needed to answer it. */
interface RawSocket {
  on(event: 'error', listener: () => void): unknown;
  once(event: 'finish', listener: () => void): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

const statusTexts = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** The HTTP status with which an upgrade is rejected. */
export type UpgradeRejection = keyof typeof statusTexts;

/** Answers the request with this status and closes the connection. */
export function rejectUpgrade(socket: RawSocket, http: UpgradeRejection): true {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${http} ${statusTexts[http]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  return true;
}

/** Whether the request offers this protocol, possibly among others. */
export const offersProtocol = (
  { headers }: { headers: { 'sec-websocket-protocol'?: string | undefined } },
  protocol: string,
): boolean => (headers['sec-websocket-protocol'] ?? '').split(',').some((each) => each.trim() === protocol);
