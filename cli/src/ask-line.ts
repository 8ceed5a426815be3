/** Asks the person at the terminal for one line. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

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

/** What is typed is not shown. */
export async function askSecretLine(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: nowhere,
    terminal: process.stdin.isTTY,
    historySize: 0,
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  terminal.once('close', () => resolve(''));
  terminal.once('line', (line) => {
    resolve(line);
    terminal.close();
  });
  const answer = await promise;
  process.stderr.write('\n');
  return answer;
}
