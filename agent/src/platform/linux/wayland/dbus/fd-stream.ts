/** A stream over a socket with file descriptors, in the shape that the D-Bus client expects. */
import { closeSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { connectFdSocket } from '../fd-socket.ts';

export async function connectFdStream(path: string): Promise<Duplex> {
  const stream = new Duplex({
    read: () => {},
    write(chunk: Buffer, _, done) {
      socket.send(chunk);
      done();
    },
    destroy(error, done) {
      socket.close();
      done(error);
    },
  });
  const socket = await connectFdSocket(path, {
    onData(bytes, fds) {
      if (fds.length > 0) stream.emit('fds', fds);
      stream.push(bytes);
    },
    onEnd() {
      stream.push(null);
      stream.destroy();
    },
  });
  return Object.assign(stream, {
    writeWithFds: socket.send,
    closeFds: (fds: number[]) => fds.forEach((fd) => closeSync(fd)),
  });
}
