/** The terminal: shells on the device, each with a stream of bytes both ways that never runs ahead of the operator. */
import {
  maxDataChunkBytes,
  encodeDataChunk,
  decodeDataChunk,
} from '@drawbridge/contract/session/binary-frames';
import { decodeMessage, encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Shell } from '../../platform/shell.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { malformed } from '../malformed-frame.ts';

const maxTerminals = 8;
/** Bytes the operator may not have seen yet before a shell is held back. */
const maxUnread = 256 * 1_024;

interface Terminal {
  shell: Shell;
  sent: number;
  read: number;
}

type TerminalRequest<Name> = Extract<SessionMessage<'terminal'>, { do: Name }>;

export const terminalFeature: FeatureFactory = (context) => {
  const open = new Map<number, Terminal>();
  /** What is typed while a shell is only being opened. */
  const opening = new Map<number, Uint8Array[]>();
  let over = false;

  const requestHandlers: {
    [Name in SessionMessage<'terminal'>['do']]: (word: TerminalRequest<Name>) => void | Promise<void>;
  } = {
    async open({ id, columns, rows }) {
      if (open.has(id) || opening.has(id))
        return sendClosed(context, id, 'A terminal with this number already exists.');
      if (open.size + opening.size >= maxTerminals)
        return sendClosed(context, id, `At most ${maxTerminals} terminals can be open at once.`);
      opening.set(id, []);
      const shell = await context.platform.shell({ columns, rows }).catch((error: unknown) => error as Error);
      const typed = opening.get(id) ?? [];
      opening.delete(id);
      if (shell instanceof Error) return sendClosed(context, id, shell.message);
      if (over) return shell.close();
      open.set(id, { shell, sent: 0, read: 0 });
      context.log(`${context.operator.name} opened a terminal`);
      streamOutput(context, id, open.get(id)!);
      typed.forEach((data) => shell.write(data));
      shell.onEnd((message) => {
        if (open.delete(id)) sendClosed(context, id, message);
      });
    },
    resize: ({ id, columns, rows }) => open.get(id)?.shell.resize(columns, rows),
    close: ({ id }) => open.get(id)?.shell.close(),
    closed: () => malformed('terminal'),
    read({ id, bytes }) {
      const one = open.get(id);
      if (!one) return;
      one.read = Math.max(one.read, Math.min(bytes, one.sent));
      if (one.sent - one.read < maxUnread) one.shell.resume();
    },
  };

  return {
    handlers: {
      terminal(payload) {
        const word = decodeMessage('terminal', payload) ?? malformed('terminal');
        return (requestHandlers[word.do] as (word: SessionMessage<'terminal'>) => void | Promise<void>)(word);
      },
      terminal_bytes(payload) {
        const { id, data } = decodeDataChunk(payload) ?? malformed('terminal_bytes');
        if (open.has(id)) open.get(id)!.shell.write(data);
        else opening.get(id)?.push(Uint8Array.from(data));
      },
    },
    stop() {
      over = true;
      for (const { shell } of open.values()) shell.close();
      open.clear();
    },
  };
};

const sendClosed = (context: FeatureContext, id: number, message: string): void =>
  context.send('terminal', encodeMessage('terminal', { do: 'closed', id, message: message.slice(0, 512) }));

/** Sends what the shell says, and holds the shell while the operator has much to read. */
function streamOutput(context: FeatureContext, id: number, one: Terminal): void {
  one.shell.onData((data) => {
    for (let from = 0; from < data.length; from += maxDataChunkBytes) {
      const piece = data.subarray(from, from + maxDataChunkBytes);
      context.send('terminal_bytes', encodeDataChunk({ id, at: one.sent, data: piece }));
      one.sent += piece.length;
    }
    if (one.sent - one.read >= maxUnread) one.shell.pause();
  });
}
