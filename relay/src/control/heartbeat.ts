/** Notices that the other end of a control connection no longer responds. */
import type { WebSocket } from 'ws';

const pingEveryMs = 2_000;
const silenceMs = 7_000;

/** Sends pings while the socket is open, and cuts it off when nothing arrives. */
export function watchControlSocket(socket: WebSocket): void {
  let heardAt = performance.now();
  const onHeard = (): void => void (heardAt = performance.now());
  for (const event of ['message', 'ping', 'pong']) socket.on(event, onHeard);
  const timer = setInterval(() => {
    if (performance.now() - heardAt > silenceMs) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, pingEveryMs);
  socket.once('close', () => clearInterval(timer));
}
