/** Runs a program in a pseudo-terminal, as a person would: what it prints, and what is typed. */
import { spawn } from '@lydell/node-pty';
import { eventually } from './eventually.ts';

export interface TerminalProgram extends AsyncDisposable {
  /** All of its output so far, without the sequences that move the cursor or set colours. */
  output(): string;
  /** Resolves with the match once its output fits. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  type(text: string): void;
  /** Resolves with its exit code. */
  gone: Promise<number>;
}

interface TerminalOptions {
  env: Record<string, string>;
  cwd: string;
  columns?: number;
  rows?: number;
}

const controlSequences = /\x1b(\[[0-9;?<=>]*[A-Za-z]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>78])/g;

export function startInTerminal(
  program: string,
  args: string[],
  { env, cwd, columns = 80, rows = 24 }: TerminalOptions,
): TerminalProgram {
  const { PATH = '' } = process.env;
  const pty = spawn(program, args, { cols: columns, rows, cwd, env: { PATH, TERM: 'xterm', ...env } });
  let raw = '';
  pty.onData((text) => (raw += text));
  const gone = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const output = (): string => raw.replaceAll(controlSequences, '').replaceAll('\r', '');
  return {
    output,
    async until(pattern) {
      const read = () => ({ match: pattern.exec(output()), pattern: String(pattern), text: output() });
      return (await eventually(read, ({ match }) => match !== null)).match!;
    },
    type: (text) => pty.write(text),
    gone,
    async [Symbol.asyncDispose]() {
      pty.kill('SIGKILL');
      await gone;
    },
  };
}
