/** Asks questions in the terminal if there is no display. */
import { createInterface } from 'node:readline/promises';
import type { Desktop } from '../platform/desktop.ts';
import { NotPossible, type Platform } from '../platform/platform.ts';

/** A terminal at which a person can answer. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Wraps the platform so that, without a display, questions go to the terminal. All other display functions are refused. */
export const withTerminal = (platform: Platform, terminal: Terminal | undefined): Platform => ({
  ...platform,
  desktop: () =>
    platform.desktop().catch((error: unknown) => {
      if (!terminal || !(error instanceof NotPossible)) throw error;
      return desktopIn(terminal, error.message);
    }),
});

function desktopIn(terminal: Terminal, why: string): Desktop {
  const refuse = async (): Promise<never> => {
    throw new NotPossible(why);
  };
  return {
    layout: refuse,
    onLayout: () => {},
    onClose: () => {},
    capture: refuse,
    input: refuse,
    clipboard: refuse,
    resize: refuse,
    restoreSize: async () => {},
    shield: refuse,
    banner: refuse,
    ask: (question, seconds, signal) => askInTerminal(terminal, question, { seconds, signal }),
    inform: refuse,
    chat: refuse,
    close: () => {},
  };
}

/** False after the time, or if the signal is aborted. */
export async function askInTerminal(
  terminal: Terminal,
  question: string,
  { seconds, signal }: { seconds: number; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const limit = AbortSignal.timeout(seconds * 1_000);
  const lines = createInterface({ ...terminal, terminal: false });
  try {
    const answer = await lines.question(`${question}\nAllow this? Type yes and press Enter: `, {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    terminal.output.write('\nNobody answered.\n');
    return false;
  } finally {
    lines.close();
  }
}
