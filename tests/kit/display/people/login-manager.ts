/** Stands in for the login manager, which tests do not have: `loginctl` answers what the test says. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface LoginManager extends Disposable {
  /** Says who is signed in from now on: the properties of each login. */
  say(...logins: readonly Record<string, string>[]): void;
}

/** `folder` must be writable; programs of other users need not reach it. */
export function startLoginManager(folder: string): LoginManager {
  const usual = process.env['PATH'];
  const programs = join(folder, 'programs');
  const [ids, answer] = [join(programs, 'ids'), join(programs, 'answer')];
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'loginctl'),
    `#!/bin/sh\n[ "$1" = list-sessions ] && exec cat '${ids}'\nexec cat '${answer}'\n`,
  );
  chmodSync(join(programs, 'loginctl'), 0o755);
  process.env['PATH'] = `${programs}${delimiter}${usual}`;
  return {
    say(...logins) {
      writeFileSync(ids, logins.map((_, at) => `${at + 1} 1000 ann seat0\n`).join(''));
      const blocks = logins.map((login) =>
        Object.entries(login)
          .map((pair) => `${pair.join('=')}\n`)
          .join(''),
      );
      writeFileSync(answer, blocks.join('\n'));
    },
    [Symbol.dispose]: () => void (process.env['PATH'] = usual),
  };
}
