/** Tests how command lines are parsed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, schemaOf } from '@drawbridge/contract/documents/schema';
import { findCommand, apiCommands } from './commands.ts';
import { isCliFailure } from './failure.ts';
import { apiCommandHelp, generalHelp } from './help.ts';
import { globalOptions, parseCommandLine } from './command-line.ts';
import { editDistance } from './suggest.ts';
import { flagsOf, toParams } from './params.ts';

/** The parameters of the operation, or the error message. */
function read(line: string, ...more: string[]): unknown {
  const argv = [...line.split(' '), ...more];
  const command = findCommand(argv.slice(0, argv.findIndex((token) => token.startsWith('--')) >>> 0));
  assert.ok(command, line);
  const parsed = parseCommandLine(argv, flagsOf(command.row), command.name);
  if (isCliFailure(parsed)) return parsed.says;
  const params = toParams(command.row, parsed.flags, {}, command.name);
  return isCliFailure(params) ? params.says : params;
}

test('a boolean flag can stand alone, take a value, or be negated', () => {
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

test('numbers are exact integers; ids that the contract defines as text stay text', () => {
  assert.deepEqual(read('agents info --agent_id 9007199254740991'), { agent_id: 9007199254740991 });
  assert.match(String(read('agents info --agent_id 9007199254740993')), /whole number/);
  assert.match(String(read('agents info --agent_id 1e3')), /whole number/);
  assert.deepEqual(read('agents list --group_id 5 --offset -1'), { group_id: '5', offset: -1 });
});

test('a list is a repeated flag, commas, or both; an empty value is an empty list', () => {
  const role = (...flags: string[]) => read('team role edit --id 3', ...flags);

  assert.deepEqual(role('--permission', 'a,b', '--permission', ' c '), {
    id: 3,
    permission: ['a', 'b', 'c'],
  });
  assert.deepEqual(role('--permission', ''), { id: 3, permission: [] });
});

test('nested fields are named with dots; an object can also be given as JSON', () => {
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

test('text can contain spaces, equals signs, and dashes after an equals sign', () => {
  assert.deepEqual(read('support create', '--client-name', 'Ann = "Bob"'), { client_name: 'Ann = "Bob"' });
  assert.deepEqual(read('support create', '--client_name=--x=1\ny'), { client_name: '--x=1\ny' });
});

test('a flag without a value, or given twice, is rejected', () => {
  assert.match(String(read('agents list --search --limit 3')), /--search needs a value/);
  assert.match(String(read('agents list --limit 3 --limit 4')), /--limit is given 2 times/);
  assert.match(String(read('agents list --json --json')), /--json is given twice/);
});

test('no parameter of an operation has the name of a global option', () => {
  for (const { name, row } of apiCommands) {
    const taken = fieldsOf(schemaOf(row.input)).filter((field) => Object.hasOwn(globalOptions, field.name));
    assert.deepEqual(taken, [], name);
  }
});

test('help lists every operation, and the help of each lists its parameters, systems and permission', () => {
  for (const command of apiCommands) {
    const text = apiCommandHelp(command);
    assert.ok(generalHelp().includes(`  ${command.name} `), command.name);
    assert.match(text, /Needs /);
    assert.ok(text.includes(command.row.systems?.replaceAll('`', '') ?? ''), command.name);
    for (const { name, schema } of fieldsOf(schemaOf(command.row.input))) {
      if (schema.type !== 'object') assert.ok(text.includes(`--${name}`), `${command.name} ${name}`);
    }
  }
});

test('help also lists the commands of the machine of the server', () => {
  for (const name of 'start,account create,account list,key create,plan set,backup,restore,doctor,audit verify'.split(
    ',',
  )) {
    assert.match(generalHelp(), new RegExp(`^  ${name}\\b`, 'm'));
  }
});

test('two swapped letters count as one edit', () => {
  assert.equal(editDistance('serach', 'search'), 1);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('same', 'same'), 0);
});
