/** The connection to a VNC server: what it tells is heard in order and kept, and it is asked for more only when somebody looks. */
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import type { CursorShape } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import { createUpdateRequester } from './update-requester.ts';
import { createServerFramebuffer } from './server-framebuffer.ts';
import { createCutText } from './cut-text.ts';
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
  /** How the server answered the wish for another size; 0: granted. */
  answer: [status: number];
  close: [];
}

export interface VncConnection {
  events: EventEmitter<Events>;
  framebuffer(): Framebuffer;
  /** The parts of the screen; undefined where the server does not tell of any. */
  screens(): readonly ScreenPart[] | undefined;
  /** Where the pointer is, and what it looks like if the server tells that. */
  cursor: { x: number; y: number; shape?: CursorShape };
  /** Asks for the screen, or for what changes; there is never more than one question open for changes. */
  request(what: 'whole' | 'changes'): void;
  send(message: Uint8Array): void;
  /** Fills the clipboard; throws a sentence where the server has no letters for the text. */
  write(text: string): void;
  isOpen(): boolean;
  /** Why nothing comes any more. */
  whyClosed(): NotPossible;
  onClose(listener: () => void): void;
  close(): void;
}

/** A server that takes longer to let somebody in, or rests so long within a message, is not alive. */
const answerTimeoutMs = 5_000;
/** One that reads nothing is not sent more than this. */
const maxUnread = 4 * 1_024 * 1_024;
export async function connectToVnc(
  address: VncAddress,
  password: string | undefined,
): Promise<VncConnection> {
  const name = formatVncAddress(address);
  const socket = connect(address);
  socket.setNoDelay(true);
  // Whoever reads hears of errors too.
  socket.on('error', () => undefined);
  const limit = setTimeout(() => {
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
    clearTimeout(limit);
  }
}

function reasonOf(error: unknown, otherwise: string): NotPossible {
  if (error instanceof NotPossible) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new NotPossible(`${otherwise}: ${code ?? message}.`);
}

function createVncConnection(socket: Socket, reader: ByteReader, initial: Framebuffer): VncConnection {
  const events = new EventEmitter<Events>().setMaxListeners(0);
  const cursor: VncConnection['cursor'] = { x: 0, y: 0 };
  let framebuffer = initial;
  let screens: readonly ScreenPart[] | undefined;
  let closed: NotPossible | undefined;

  const end = (reason: NotPossible): void => {
    if (closed) return;
    closed = reason;
    socket.destroy();
    events.emit('close');
  };
  const send = (message: Uint8Array): void => {
    if (closed) return;
    socket.write(message);
    if (socket.writableLength > maxUnread)
      end(new NotPossible('The VNC server of the device has stopped reading what the agent sends.'));
  };
  const cutText = createCutText(send, (text) => events.emit('text', text));
  const { request, answered } = createUpdateRequester(send, () => framebuffer);

  const applyUpdate = (update: Update): void => {
    const { shape, pointer, resizeStatus: answer, boxes } = update;
    const isOther = update.framebuffer !== framebuffer;
    const isDivided = update.screens && !isDeepStrictEqual(screens, update.screens);
    framebuffer = update.framebuffer;
    if (isDivided) screens = update.screens;
    if (shape) cursor.shape = shape;
    if (pointer) Object.assign(cursor, pointer);
    answered(boxes.length > 0, isOther);
    if (isOther || isDivided) events.emit('layout');
    if (shape || pointer) events.emit('cursor', shape !== undefined);
    if (answer !== undefined) events.emit('answer', answer);
    if (boxes.length > 0) events.emit('update', boxes, framebuffer);
  };
  const readMessages = async (): Promise<never> => {
    for (;;) {
      const [kind = 0] = await reader.take(1);
      socket.setTimeout(answerTimeoutMs);
      const message = await readServerMessage(kind, framebuffer, reader);
      socket.setTimeout(0);
      if (message && 'update' in message) applyUpdate(message.update);
      else if (message && 'cutText' in message) cutText.handle(message.cutText);
      else if (message) events.emit('text', message.text);
      // What comes without a pause must not keep others from their turn.
      await turn();
    }
  };
  socket.on('timeout', () =>
    end(new NotPossible('The VNC server of the device stopped in the middle of a message.')),
  );
  void readMessages().catch((error: unknown) =>
    end(reasonOf(error, 'The connection to the VNC server of the device was lost')),
  );

  return {
    events,
    framebuffer: () => framebuffer,
    screens: () => screens,
    cursor,
    request,
    send,
    write: cutText.write,
    isOpen: () => closed === undefined,
    whyClosed: () => closed ?? new NotPossible('The VNC server is connected.'),
    onClose: (listener) => void events.once('close', listener),
    close: () => end(new NotPossible('The connection to the VNC server was closed.')),
  };
}
