/** What the parts of a path to a compositor share: the connection, its objects and the memory for pixels. */
import type { FrameMemory, FrameRegion } from '../frame-memory.ts';
import { newObject, type WaylandConnection } from '../wire/connection.ts';
import { watchOutputs, type Outputs } from './outputs.ts';
import { kinds, shm } from './protocol.ts';

export interface CompositorContext {
  connection: WaylandConnection;
  memory: FrameMemory;
  outputs: Outputs;
  seat: number;
  /** Binds an object that the compositor offers to everyone; undefined if it does not. */
  bind(kind: string, maxVersion: number): number | undefined;
  /** Creates a picture in the memory; `stride` counts bytes. */
  createBuffer(region: FrameRegion, shape: BufferShape, onRelease?: () => void): number;
}

export interface BufferShape {
  width: number;
  height: number;
  stride: number;
  format: number;
}

export async function createContext(
  connection: WaylandConnection,
  memory: FrameMemory,
): Promise<CompositorContext> {
  const bind = (kind: string, maxVersion: number): number | undefined => {
    const global = connection.globals().find((each) => each.kind === kind);
    return global && connection.bind(global, maxVersion);
  };
  const outputs = await watchOutputs(connection);
  const shmObject = bind(kinds.shm, 1)!;
  const pool = connection.create(shmObject, shm.createPool, [
    newObject,
    { fd: memory.fd },
    memory.words.byteLength,
  ]);
  return {
    connection,
    memory,
    outputs,
    seat: bind(kinds.seat, 1)!,
    bind,
    createBuffer: ({ offset }, { width, height, stride, format }, onRelease) =>
      connection.create(
        pool,
        shm.createBuffer,
        [newObject, offset * 4, width, height, stride, format],
        onRelease,
      ),
  };
}
