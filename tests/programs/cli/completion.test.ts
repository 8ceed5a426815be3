/** The completion scripts in the real shells: what is typed, and which command the shell then runs. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { apiCommands, cliCommands, serverCommands } from '@drawbridge/cli/commands';
import { completionScript, type CompletionShell } from '@drawbridge/cli/completion-scripts';
import { skipWithout } from '../../kit/requirements.ts';
import { startInTerminal, type TerminalProgram } from '../../kit/pseudo-terminal.ts';
import { startCliFixture } from './fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-completion-'));
after(() => rmSync(folder, { recursive: true }));
for (const name of ['archive.db', 'old archive.db']) writeFileSync(join(folder, name), '');

/** Starts a shell whose `drawbridge` prints the words that it was called with. */
function startShell(shell: CompletionShell): TerminalProgram {
  const script = join(folder, `completion.${shell}`);
  writeFileSync(script, completionScript(shell));
  const command = 'drawbridge() { echo "called:$*."; }';
  const setup = {
    bash: `${command}\nPS1='ready> '\nsource ${script}\n`,
    zsh: `${command}\nPS1='ready> '\nautoload -Uz compinit\ncompinit -u -D\nsource ${script}\n`,
    fish: `function drawbridge; echo "called:$argv."; end\nfunction fish_prompt; echo 'ready> '; end\nsource ${script}\n`,
  }[shell];
  const file = join(folder, { bash: 'bashrc', zsh: '.zshrc', fish: 'config.fish' }[shell]);
  writeFileSync(file, setup);
  const args = {
    bash: ['--noprofile', '--rcfile', file, '-i'],
    zsh: ['-i'],
    fish: ['--no-config', '-i', '-C', `source ${file}`],
  }[shell];
  const env = { HOME: folder, ZDOTDIR: folder, INPUTRC: '/dev/null' };
  return startInTerminal(shell, args, { env, cwd: folder, columns: 200 });
}

/** What is typed, and the words of the command after the shell has completed it. */
const lines: [string, string][] = [
  ['team role cre\t', 'team role create'],
  ['agents files li\t', 'agents files list'],
  ['--json agents reb\t--agent\t7', 'agents reboot --agent_id 7'],
  ['agents reb\t--i\t7', 'agents reboot --id 7'],
  ['team role create --type gr\t', 'team role create --type group'],
  ['agent jo\t123456789 --c\t', 'agent join 123456789 --ca'],
  ['backup arch\t', 'backup archive.db'],
  ['agent run --ca arch\t', 'agent run --ca archive.db'],
  [
    'agents files add --agent_id 7 --file ~/old\t',
    `agents files add --agent_id 7 --file ${folder}/old archive.db`,
  ],
  ['backup "old\t', 'backup old archive.db'],
  ['completion fi\t', 'completion fish'],
  ['groups list --col\t', 'groups list --columns'],
];

for (const shell of ['bash', 'zsh', 'fish'] as const)
  test(`${shell} completes commands, flags, values and files`, { skip: skipWithout(shell) }, async () => {
    await using terminal = startShell(shell);

    for (const [at, [typed, words]] of lines.entries()) {
      await terminal.until(/ready> $/);
      terminal.type(`drawbridge ${typed}\r`);
      const [, called] = await terminal.until(
        new RegExp(`(?:[^]*?\\ncalled:(.*)\\.\\n){${at + 1}}[^]*ready> $`),
      );
      assert.equal(called?.replace('--json ', '').trim(), words);
    }
  });

test('each command of the help is known to every script', () => {
  const all = [...apiCommands, ...cliCommands, ...serverCommands].map(({ name }) => name);

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const script = completionScript(shell);
    assert.deepEqual(
      all.filter((name) => !script.includes(`'${name}'`)),
      [],
      shell,
    );
  }
});

test('completion without the name of a shell names them', async () => {
  await using fixture = await startCliFixture();

  for (const words of [[], ['tcsh'], ['bash', 'zsh']]) {
    const { exit, err } = await fixture.type(['completion', ...words]);
    assert.deepEqual(
      [exit, err],
      [2, 'drawbridge: completion needs the name of a shell: bash, zsh, fish.\n'],
    );
  }
});
