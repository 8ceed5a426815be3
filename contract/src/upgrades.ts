/** Connections that want to become sockets: whether they ask for the right protocol, and how they are turned away. */

/** As much of a connection as is needed to answer it. */
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

/** Why a connection does not become a socket, as HTTP says it. */
export type UpgradeRejection = keyof typeof statusTexts;

/** Answers a connection that does not become a socket, and ends it. */
export function rejectUpgrade(socket: RawSocket, http: UpgradeRejection): true {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${http} ${statusTexts[http]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  return true;
}

/** Whether the connection asks for this protocol, maybe among others. */
export const offersProtocol = (
  { headers }: { headers: { 'sec-websocket-protocol'?: string | undefined } },
  protocol: string,
): boolean => (headers['sec-websocket-protocol'] ?? '').split(',').some((each) => each.trim() === protocol);
