/**
 * Clients in a separate process that send a request over TLS, read the beginning of the response and nothing
 * more.
 */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { startProgram, type Program } from '../process.ts';

export interface StalledClients extends Program {
  /**
   * Sends the request on every connection; resolves with the status codes of the responses once all have
   * begun.
   */
  ask(): Promise<number[]>;
}

export interface StalledRequests {
  port: number;
  count: number;
  /** The request, verbatim. */
  request: string;
}

/** Connects all of them first, so that the cost of a connection can be told from the cost of a response. */
export async function openStalledClients(asking: StalledRequests): Promise<StalledClients> {
  const program = startProgram('tests/kit/hostile/stalled-clients.ts', [JSON.stringify(asking)], {});
  await program.until(/connected\n/);
  return {
    ...program,
    async ask() {
      program.signal('SIGUSR2');
      const [, codes] = await program.until(/answered (\S*)\n/);
      return codes!.split(',').map(Number);
    },
  };
}

/** The status code of the response, 0 if the connection ended without one. The rest is left unread. */
async function codeOf(socket: TLSSocket): Promise<number> {
  const gone = once(socket, 'close').then(() => undefined);
  const first = await Promise.race([once(socket, 'data').then(([bytes]) => bytes as Buffer), gone]);
  socket.pause();
  return Number(first?.toString('latin1', 9, 12) ?? 0);
}

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write('HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

if (import.meta.main) {
  const { port, count, request } = JSON.parse(process.argv[2]!) as StalledRequests;
  const sockets: TLSSocket[] = [];
  while (sockets.length < count) sockets.push(await open(port));
  process.once('SIGUSR2', () => {
    const codes = sockets.map((socket) => {
      socket.write(request);
      return codeOf(socket);
    });
    void Promise.all(codes).then((all) => process.stdout.write(`answered ${all.join(',')}\n`));
  });
  // Paused sockets do not keep the process running.
  setInterval(() => {}, 60_000);
  process.stdout.write('connected\n');
}
