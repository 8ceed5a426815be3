/** Connections that want to become sockets: whether they ask for the right protocol, and how they are turned away. */

/** As much of a connection as is needed to answer it. */
interface Wire {
  on(event: 'error', listener: () => void): unknown;
  once(event: 'finish', listener: () => void): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

const reasons = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Why a connection does not become a socket, as HTTP says it. */
export type TurnedAway = keyof typeof reasons;

/** Answers a connection that does not become a socket, and ends it. */
export function turnAway(wire: Wire, http: TurnedAway): true {
  wire.on('error', () => wire.destroy());
  wire.once('finish', () => wire.destroy());
  wire.end(`HTTP/1.1 ${http} ${reasons[http]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  return true;
}

/** Whether the connection asks for this protocol, maybe among others. */
export const isOffered = (
  { headers }: { headers: { 'sec-websocket-protocol'?: string | undefined } },
  protocol: string,
): boolean => (headers['sec-websocket-protocol'] ?? '').split(',').some((each) => each.trim() === protocol);
