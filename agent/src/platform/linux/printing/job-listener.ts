/** Receives print jobs on a port that only programs on the device can reach, one after the other. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { NotPossible } from '../../platform.ts';
import type { PrintJob, SessionPrinter } from '../../printing/session-printer.ts';

export interface JobLimits {
  /** A job that sends nothing for so long while it is read has failed. */
  idleMs: number;
  /** A job that takes so long in total has failed. */
  jobMs: number;
  /** CUPS sends one job of a printer at a time; any program on the device can connect. */
  connections: number;
}

export interface JobListener extends Pick<SessionPrinter, 'onJob'> {
  port: number;
  close(): void;
}

interface State {
  limits: JobLimits;
  titleOf(): Promise<string>;
  receive(job: PrintJob): Promise<void>;
  sockets: Set<Socket>;
  /** Resolves when the jobs so far are over. */
  last: Promise<void>;
}

/** `titleOf` is called when a job begins. */
export async function listenForJobs(limits: JobLimits, titleOf: () => Promise<string>): Promise<JobListener> {
  const receive = async (): Promise<never> => {
    throw new NotPossible('Nobody receives documents yet.');
  };
  const state: State = { limits, titleOf, receive, sockets: new Set(), last: Promise.resolve() };
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
    accept(state, socket),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    onJob: (next) => void (state.receive = next),
    close() {
      server.close();
      for (const socket of state.sockets) socket.destroy();
    },
  };
}

function accept(state: State, socket: Socket): void {
  socket.on('error', () => {}); // the job that is read reports it
  if (state.sockets.size >= state.limits.connections) return void socket.resetAndDestroy();
  state.sockets.add(socket);
  socket.once('close', () => state.sockets.delete(socket));
  state.last = state.last.then(() => receiveJob(state, socket));
}

/** CUPS waits for the end of the connection, and reports a job whose connection is reset as failed. */
async function receiveJob({ limits, titleOf, receive }: State, socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(tooSlow()), limits.jobMs);
  try {
    await receive({ title: await titleOf(), content: contentOf(socket, limits.idleMs) });
    socket.end();
  } catch {
    socket.resetAndDestroy();
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = (): NotPossible => new NotPossible('The device did not finish the document in time.');

async function* contentOf(socket: Socket, idleMs: number): AsyncGenerator<Uint8Array> {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  for (;;) {
    const timer = setTimeout(() => socket.destroy(tooSlow()), idleMs);
    const next = await chunks.next().finally(() => clearTimeout(timer));
    if (next.done) return;
    yield next.value;
  }
}
