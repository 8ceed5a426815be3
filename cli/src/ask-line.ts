/** Asks the person at the terminal for one line. */
import { createInterface } from 'node:readline';

/** The question goes to standard error, so that standard output has only results. */
export function askLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { promise, resolve } = Promise.withResolvers<string>();
  terminal.once('close', () => resolve(''));
  terminal.question(question, (line) => {
    resolve(line);
    terminal.close();
  });
  return promise;
}
