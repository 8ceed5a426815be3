/** The connection to a VNC server: reads its messages in order, keeps the screen, and requests updates only while somebody watches. */
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import type { CursorShape } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import { createUpdateRequester, type UpdateRequester } from './update-requester.ts';
import { createServerFramebuffer } from './server-framebuffer.ts';
import { createCutText, type CutText } from './cut-text.ts';
import { performHandshake } from './handshake.ts';
import type { ScreenPart } from './messages.ts';
import { createByteReader, type ByteReader } from './byte-reader.ts';
import { readServerMessage } from './server-message.ts';
import { formatVncAddress, type VncAddress } from './settings.ts';
import type { Update } from './update.ts';

interface Events {
  update: [boxes: readonly Box[], framebuffer: Framebuffer];
  layout: [];
  cursor: [isNewShape: boolean];
  text: [text: string];
  /** The server's answer to a resize request; 0 means success. */
  answer: [status: number];
  close: [];
}

export interface VncConnection {
  events: EventEmitter<Events>;
  framebuffer(): Framebuffer;
  /** The parts of the screen; undefined if the server does not report any. */
  screens(): readonly ScreenPart[] | undefined;
  /** The position of the pointer, and its shape if the server reports it. */
  cursor: { x: number; y: number; shape?: CursorShape };
  /** Requests the whole screen or its changes. At most one request for changes is open. */
  request(what: 'whole' | 'changes'): void;
  send(message: Uint8Array): void;
  /** Sets the clipboard; throws if the server does not support the characters of the text. */
  write(text: string): void;
  isOpen(): boolean;
  /** The reason why the connection was closed. */
  whyClosed(): NotPossible;
  onClose(listener: () => void): void;
  close(): void;
}

/** The timeout of the handshake, and of pauses within a message. */
const answerTimeoutMs = 5_000;
/** The connection is closed if the server has not read more bytes than this. */
const maxUnread = 4 * 1_024 * 1_024;

export async function connectToVnc(
  address: VncAddress,
  password: string | undefined,
): Promise<VncConnection> {
  const name = formatVncAddress(address);
  const socket = connect(address);
  socket.setNoDelay(true);
  // The reader reports errors.
  socket.on('error', () => undefined);
  const timeout = setTimeout(() => {
    const seconds = answerTimeoutMs / 1_000;
    socket.destroy(new NotPossible(`The VNC server at ${name} did not answer within ${seconds} seconds.`));
  }, answerTimeoutMs);
  const reader = createByteReader(socket);
  try {
    const size = await performHandshake({ reader, send: (message) => void socket.write(message), password });
    return createVncConnection(socket, reader, createServerFramebuffer(size));
  } catch (error) {
    socket.destroy();
    throw reasonOf(error, `The VNC server at ${name} cannot be reached`);
  } finally {
    clearTimeout(timeout);
  }
}

function reasonOf(error: unknown, otherwise: string): NotPossible {
  if (error instanceof NotPossible) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new NotPossible(`${otherwise}: ${code ?? message}.`);
}

interface State {
  socket: Socket;
  reader: ByteReader;
  events: EventEmitter<Events>;
  cursor: VncConnection['cursor'];
  framebuffer: Framebuffer;
  screens: readonly ScreenPart[] | undefined;
  /** Why the connection was closed. */
  closed: NotPossible | undefined;
}

function createVncConnection(socket: Socket, reader: ByteReader, framebuffer: Framebuffer): VncConnection {
  const events = new EventEmitter<Events>().setMaxListeners(0);
  const cursor: VncConnection['cursor'] = { x: 0, y: 0 };
  const state: State = { socket, reader, events, cursor, framebuffer, screens: undefined, closed: undefined };
  const send = (message: Uint8Array): void => sendMessage(state, message);
  const cutText = createCutText(send, (text) => events.emit('text', text));
  const requester = createUpdateRequester(send, () => state.framebuffer);
  socket.on('timeout', () =>
    end(state, new NotPossible('The VNC server of the device stopped in the middle of a message.')),
  );
  void readMessages(state, cutText, requester).catch((error: unknown) =>
    end(state, reasonOf(error, 'The connection to the VNC server of the device was lost')),
  );
  return {
    events,
    framebuffer: () => state.framebuffer,
    screens: () => state.screens,
    cursor,
    request: (what) => requester.request(what),
    send,
    write: (text) => cutText.write(text),
    isOpen: () => state.closed === undefined,
    whyClosed: () => state.closed ?? new NotPossible('The VNC server is connected.'),
    onClose: (listener) => void events.once('close', listener),
    close: () => end(state, new NotPossible('The connection to the VNC server was closed.')),
  };
}

function end(state: State, reason: NotPossible): void {
  if (state.closed) return;
  state.closed = reason;
  state.socket.destroy();
  state.events.emit('close');
}

function sendMessage(state: State, message: Uint8Array): void {
  if (state.closed) return;
  state.socket.write(message);
  if (state.socket.writableLength > maxUnread)
    end(state, new NotPossible('The VNC server of the device has stopped reading what the agent sends.'));
}

async function readMessages(state: State, cutText: CutText, requester: UpdateRequester): Promise<never> {
  const { socket, reader, events } = state;
  for (;;) {
    const [kind = 0] = await reader.take(1);
    socket.setTimeout(answerTimeoutMs);
    const message = await readServerMessage(kind, state.framebuffer, reader);
    socket.setTimeout(0);
    if (message && 'update' in message) applyUpdate(state, requester, message.update);
    else if (message && 'cutText' in message) cutText.handle(message.cutText);
    else if (message) events.emit('text', message.text);
    // A server that sends without pause must not block the event loop.
    await yieldToEventLoop();
  }
}

function applyUpdate(state: State, requester: UpdateRequester, update: Update): void {
  const { events, cursor } = state;
  const { framebuffer, shape, pointer, resizeStatus, boxes } = update;
  const isOtherSize = framebuffer !== state.framebuffer;
  const hasNewScreens = update.screens && !isDeepStrictEqual(state.screens, update.screens);
  state.framebuffer = framebuffer;
  if (hasNewScreens) state.screens = update.screens;
  if (shape) cursor.shape = shape;
  if (pointer) Object.assign(cursor, pointer);
  requester.answered(boxes.length > 0, isOtherSize);
  if (isOtherSize || hasNewScreens) events.emit('layout');
  if (shape || pointer) events.emit('cursor', shape !== undefined);
  if (resizeStatus !== undefined) events.emit('answer', resizeStatus);
  if (boxes.length > 0) events.emit('update', boxes, framebuffer);
}
