/** How command lines are read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, schemaOf } from '@drawbridge/contract/schema';
import { findCommand, apiCommands } from './commands.ts';
import { isCliFailure } from './failure.ts';
import { apiCommandHelp, generalHelp } from './help.ts';
import { globalOptions, parseCommandLine } from './command-line.ts';
import { editDistance } from './suggest.ts';
import { flagsOf, toParams } from './params.ts';

/** The parameters that a command line gives its operation, or the sentence that refuses it. */
function read(line: string, ...more: string[]): unknown {
  const argv = [...line.split(' '), ...more];
  const command = findCommand(argv.slice(0, argv.findIndex((token) => token.startsWith('--')) >>> 0));
  assert.ok(command, line);
  const parsed = parseCommandLine(argv, flagsOf(command.row), command.name);
  if (isCliFailure(parsed)) return parsed.says;
  const params = toParams(command.row, parsed.flags, {}, command.name);
  return isCliFailure(params) ? params.says : params;
}

test('booleans stand alone, take a value, or are turned off', () => {
  const video = (flag: string) => read(`support connect --connection_id 3 ${flag}`);

  assert.deepEqual(video('--video'), { connection_id: 3, video: true });
  assert.deepEqual(video('--video true'), { connection_id: 3, video: true });
  assert.deepEqual(video('--video=false'), { connection_id: 3, video: false });
  assert.deepEqual(video('--video 0'), { connection_id: 3, video: false });
  assert.deepEqual(video('--no-video'), { connection_id: 3, video: false });
  assert.deepEqual(read('support connect --video --connection_id 3'), { connection_id: 3, video: true });
  assert.match(String(video('--video=maybe')), /--video must be true or false, not "maybe"/);
  assert.match(String(read('support connect --no-connection_id')), /has no --no_connection_id/);
});

test('numbers are whole and exact; ids that the contract has as text stay text', () => {
  assert.deepEqual(read('agents info --agent_id 9007199254740991'), { agent_id: 9007199254740991 });
  assert.match(String(read('agents info --agent_id 9007199254740993')), /whole number/);
  assert.match(String(read('agents info --agent_id 1e3')), /whole number/);
  assert.deepEqual(read('agents list --group_id 5 --offset -1'), { group_id: '5', offset: -1 });
});

test('lists are the flag repeated, commas, or both; an empty value empties the list', () => {
  const role = (...flags: string[]) => read('team role edit --id 3', ...flags);

  assert.deepEqual(role('--permission', 'a,b', '--permission', ' c '), {
    id: 3,
    permission: ['a', 'b', 'c'],
  });
  assert.deepEqual(role('--permission', ''), { id: 3, permission: [] });
});

test('fields inside fields are named with dots; an object may also be given whole', () => {
  const link = { permanent_url: { enable: true, url: 'desk' } };

  assert.deepEqual(read('agents update --id 7 --permanent_url.enable true --permanent-url.url desk'), {
    id: 7,
    ...link,
  });
  assert.deepEqual(read('agents update --id 7 --permanent_url', JSON.stringify(link.permanent_url)), {
    id: 7,
    ...link,
  });
});

test('text is taken as it is: with spaces, equals signs, or dashes after an equals sign', () => {
  assert.deepEqual(read('support create', '--client-name', 'Ann = "Bob"'), { client_name: 'Ann = "Bob"' });
  assert.deepEqual(read('support create', '--client_name=--x=1\ny'), { client_name: '--x=1\ny' });
});

test('a flag without its value, or given twice, is refused', () => {
  assert.match(String(read('agents list --search --limit 3')), /--search needs a value/);
  assert.match(String(read('agents list --limit 3 --limit 4')), /--limit is given 2 times/);
  assert.match(String(read('agents list --json --json')), /--json is given twice/);
});

test('no parameter of any operation has the name of an option of this program', () => {
  for (const { name, row } of apiCommands) {
    const taken = fieldsOf(schemaOf(row.input)).filter((field) => Object.hasOwn(globalOptions, field.name));
    assert.deepEqual(taken, [], name);
  }
});

test('help has every operation, and the help of each has every parameter and its right', () => {
  for (const command of apiCommands) {
    const text = apiCommandHelp(command);
    assert.ok(generalHelp().includes(`  ${command.name} `), command.name);
    assert.match(text, /Needs /);
    for (const { name, schema } of fieldsOf(schemaOf(command.row.input))) {
      if (schema.type !== 'object') assert.ok(text.includes(`--${name}`), `${command.name} ${name}`);
    }
  }
});

test('help also lists what is carried out on the machine of the server', () => {
  for (const name of 'start,account create,account list,key create,plan set,backup,restore,doctor,audit verify'.split(
    ',',
  )) {
    assert.match(generalHelp(), new RegExp(`^  ${name}\\b`, 'm'));
  }
});

test('two letters in the wrong order are one slip, not two', () => {
  assert.equal(editDistance('serach', 'search'), 1);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('same', 'same'), 0);
});
