/** The terminal: shells on the device, each with a byte stream in both directions and back-pressure from the operator. */
import { maxDataChunkBytes } from '@drawbridge/contract/session/binary-frames';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Shell } from '../../platform/shell.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';

const maxTerminals = 8;
/** A shell is paused while the operator has more unread bytes than this. */
const maxUnread = 256 * 1_024;

interface Terminal {
  shell: Shell;
  sent: number;
  read: number;
}

type TerminalRequest<Name> = Extract<SessionMessage<'terminal'>, { do: Name }>;

interface State {
  context: FeatureContext;
  terminals: Map<number, Terminal>;
  /** What was typed while the shell was still opening. */
  opening: Map<number, Uint8Array[]>;
  isStopped: boolean;
}

type RequestHandler<Request> = (state: State, request: Request) => void | Promise<void>;

const requestHandlers: {
  [Name in SessionMessage<'terminal'>['do']]: RequestHandler<TerminalRequest<Name>>;
} = {
  open: openTerminal,
  resize: ({ terminals }, { id, columns, rows }) => terminals.get(id)?.shell.resize(columns, rows),
  close: ({ terminals }, { id }) => terminals.get(id)?.shell.close(),
  closed: ({ context }) => context.endMalformed('terminal'),
  read({ terminals }, { id, bytes }) {
    const terminal = terminals.get(id);
    if (!terminal) return;
    terminal.read = Math.max(terminal.read, Math.min(bytes, terminal.sent));
    if (terminal.sent - terminal.read < maxUnread) terminal.shell.resume();
  },
};

export const terminalFeature: FeatureFactory = (context) => {
  const state: State = { context, terminals: new Map(), opening: new Map(), isStopped: false };
  const { terminals, opening } = state;
  return {
    handlers: {
      terminal(payload) {
        const word = payload;
        return (requestHandlers[word.do] as RequestHandler<SessionMessage<'terminal'>>)(state, word);
      },
      terminal_bytes(payload) {
        const { id, data } = payload;
        if (terminals.has(id)) terminals.get(id)!.shell.write(data);
        else opening.get(id)?.push(Uint8Array.from(data));
      },
    },
    stop() {
      state.isStopped = true;
      for (const { shell } of terminals.values()) shell.close();
      terminals.clear();
    },
  };
};

async function openTerminal(state: State, { id, columns, rows }: TerminalRequest<'open'>): Promise<void> {
  const { context, terminals, opening } = state;
  if (terminals.has(id) || opening.has(id))
    return sendClosed(context, id, 'A terminal with this number already exists.');
  if (terminals.size + opening.size >= maxTerminals)
    return sendClosed(context, id, `At most ${maxTerminals} terminals can be open at once.`);
  opening.set(id, []);
  const shell = await context.platform.shell({ columns, rows }).catch((error: unknown) => error as Error);
  const typed = opening.get(id) ?? [];
  opening.delete(id);
  if (shell instanceof Error) return sendClosed(context, id, shell.message);
  if (state.isStopped) return shell.close();
  terminals.set(id, { shell, sent: 0, read: 0 });
  context.log(`${context.operator.name} opened a terminal`);
  streamOutput(context, id, terminals.get(id)!);
  typed.forEach((data) => shell.write(data));
  shell.onEnd((message) => {
    if (terminals.delete(id)) sendClosed(context, id, message);
  });
}

const sendClosed = (context: FeatureContext, id: number, message: string): void =>
  context.send('terminal', { do: 'closed', id, message: message.slice(0, 512) });

/** Sends the output of the shell, and pauses the shell while the operator has too many unread bytes. */
function streamOutput(context: FeatureContext, id: number, terminal: Terminal): void {
  terminal.shell.onData((data) => {
    for (let from = 0; from < data.length; from += maxDataChunkBytes) {
      const piece = data.subarray(from, from + maxDataChunkBytes);
      context.send('terminal_bytes', { id, at: terminal.sent, data: piece });
      terminal.sent += piece.length;
    }
    if (terminal.sent - terminal.read >= maxUnread) terminal.shell.pause();
  });
}
