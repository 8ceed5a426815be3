/** A connection to a Wayland compositor: objects, requests and events. */
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { NotPossible } from '../../../platform.ts';
import { connectFdSocket, type FdSocket } from '../fd-socket.ts';
import {
  createWireReader,
  encodeRequest,
  splitEvents,
  type WireReader,
  type WireValue,
} from './wire-format.ts';

/** Receives the events of an object by their number in the protocol. */
export type EventHandler = (opcode: number, values: WireReader) => void;

/** An object that the compositor offers to everyone. */
export interface WaylandGlobal {
  name: number;
  kind: string;
  version: number;
}

export interface WaylandConnection {
  globals(): readonly WaylandGlobal[];
  /** Called when the compositor offers or withdraws an object. */
  onGlobals(listener: () => void): void;
  bind(global: WaylandGlobal, maxVersion: number, handler?: EventHandler): number;
  /** Sends a request that creates an object; `newObject` stands for it in the values. */
  create(object: number, opcode: number, values: readonly WireValue[], handler?: EventHandler): number;
  /** Receives the events of an object that the compositor has created. */
  adopt(object: number, handler: EventHandler): void;
  request(object: number, opcode: number, values?: readonly WireValue[]): void;
  /** Sends a request that ends an object. */
  destroy(object: number, opcode: number): void;
  /** Resolves when the compositor has processed all requests. */
  sync(): Promise<void>;
  /** Why the connection was lost, in a sentence; undefined while it is open. */
  whyClosed(): string | undefined;
  onClose(listener: () => void): void;
  close(): void;
}

/** Stands for the object that a request creates. */
export const newObject = -1;

const display = { object: 1, sync: 0, getRegistry: 1, error: 0, deleteId: 1 } as const;
const registry = { bind: 0, global: 0, globalRemove: 1 } as const;
/** Objects from here on were created by the compositor. */
const firstOfCompositor = 0xff00_0000;
const answerTimeoutMs = 5_000;

const fdsOf = (value: WireValue): number[] => (typeof value === 'object' && value ? [value.fd] : []);

interface State {
  socket: FdSocket;
  handlers: Map<number, EventHandler>;
  globals: WaylandGlobal[];
  globalListeners: (() => void)[];
  closeListeners: Set<() => void>;
  freeIds: number[];
  lastId: number;
  rest: Buffer;
  fds: number[];
  whyClosed: string | undefined;
}

/** Connects to the compositor that the environment names. `timeoutMs`: how long it may take to list what it offers. */
export async function connectToCompositor(
  env: NodeJS.ProcessEnv = process.env,
  timeoutMs = answerTimeoutMs,
): Promise<WaylandConnection> {
  const path = join(env['XDG_RUNTIME_DIR'] ?? '', env['WAYLAND_DISPLAY'] ?? '');
  const state: State = {
    socket: undefined as unknown as FdSocket,
    handlers: new Map(),
    globals: [],
    globalListeners: [],
    closeListeners: new Set(),
    freeIds: [],
    lastId: display.object,
    rest: Buffer.alloc(0),
    fds: [],
    whyClosed: undefined,
  };
  state.socket = await connectFdSocket(path, {
    onData: (bytes, fds) => receive(state, bytes, fds),
    onEnd: () => lose(state, 'The Wayland desktop of the device has ended.'),
  });
  state.handlers.set(display.object, (opcode, values) => handleDisplay(state, opcode, values));
  const connection = createConnection(state);
  await sync(state, connection.create, timeoutMs);
  return connection;
}

function createConnection(state: State): WaylandConnection {
  const { socket, handlers } = state;
  const request: WaylandConnection['request'] = (object, opcode, values = []) =>
    socket.send(encodeRequest(object, opcode, values), values.flatMap(fdsOf));
  const create: WaylandConnection['create'] = (object, opcode, values, handler) => {
    const id = state.freeIds.pop() ?? (state.lastId += 1);
    if (handler) handlers.set(id, handler);
    const filled = values.map((value) => (value === newObject ? id : value));
    request(object, opcode, filled);
    return id;
  };
  const registryId = create(display.object, display.getRegistry, [newObject], (opcode, values) =>
    handleRegistry(state, opcode, values),
  );
  return {
    globals: () => state.globals,
    onGlobals: (listener) => void state.globalListeners.push(listener),
    bind: ({ name, kind, version }, maxVersion, handler) =>
      create(registryId, registry.bind, [name, kind, Math.min(version, maxVersion), newObject], handler),
    create,
    adopt: (object, handler) => void handlers.set(object, handler),
    request,
    destroy(object, opcode) {
      request(object, opcode);
      handlers.delete(object);
    },
    sync: () => sync(state, create),
    whyClosed: () => state.whyClosed,
    onClose: (listener) => void state.closeListeners.add(listener),
    close() {
      state.whyClosed ??= 'The connection to the desktop was closed.';
      socket.close();
    },
  };
}

async function sync(
  state: State,
  create: WaylandConnection['create'],
  timeoutMs = answerTimeoutMs,
): Promise<void> {
  if (state.whyClosed !== undefined) throw new NotPossible(state.whyClosed);
  const done = Promise.withResolvers<void>();
  const fail = (): void => done.reject(new NotPossible(state.whyClosed ?? 'The compositor does not answer.'));
  const timer = setTimeout(fail, timeoutMs);
  state.closeListeners.add(fail);
  create(display.object, display.sync, [newObject], () => done.resolve());
  try {
    await done.promise;
  } finally {
    clearTimeout(timer);
    state.closeListeners.delete(fail);
  }
}

function receive(state: State, bytes: Buffer, fds: readonly number[]): void {
  state.fds.push(...fds);
  const { events, rest } = splitEvents(Buffer.concat([state.rest, bytes]));
  state.rest = rest;
  const takeFd = (): number => state.fds.shift() ?? -1;
  for (const { object, opcode, body } of events)
    state.handlers.get(object)?.(opcode, createWireReader(body, takeFd));
}

function handleDisplay(state: State, opcode: number, values: WireReader): void {
  if (opcode === display.deleteId) {
    const id = values.uint();
    state.handlers.delete(id);
    if (id < firstOfCompositor) state.freeIds.push(id);
  } else if (opcode === display.error) {
    const [object, code, message] = [values.uint(), values.uint(), values.text()];
    lose(
      state,
      `The compositor of the device refused a request (object ${object}, code ${code}): ${message}.`,
    );
  }
}

function handleRegistry(state: State, opcode: number, values: WireReader): void {
  const name = values.uint();
  if (opcode === registry.global) state.globals.push({ name, kind: values.text(), version: values.uint() });
  else state.globals = state.globals.filter((global) => global.name !== name);
  for (const listener of state.globalListeners) listener();
}

function lose(state: State, reason: string): void {
  if (state.whyClosed !== undefined) return;
  state.whyClosed = reason;
  state.socket.close();
  for (const fd of state.fds.splice(0)) closeSync(fd);
  for (const listener of state.closeListeners) listener();
}
