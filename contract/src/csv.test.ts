/** Tables as text: what is quoted, and what must never be a formula. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('a line is written as RFC 4180 has it', () => {
  assert.equal(csvLine([1, 'plain', '', 'with space']), '1,plain,,with space\r\n');
  assert.equal(
    csvLine(['a,b', 'say "so"', 'two\r\nlines', 'a;b']),
    '"a,b","say ""so""","two\r\nlines","a;b"\r\n',
  );
});

test('nothing that a spreadsheet takes for a formula stays one', () => {
  const cells: [string, string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['＝1', "'＝1"],
    ['"=1"', `"'""=1"""`],
    ['a;=cmd', `"a;'=cmd"`],
    ['a;"=cmd"', `"a;'""=cmd"""`],
    ['a\n=cmd', `"a\n'=cmd"`],
    ['a=b', 'a=b'],
    ['a-b@example.com', 'a-b@example.com'],
  ];
  for (const [text, written] of cells) assert.equal(csvLine([text]), `${written}\r\n`, JSON.stringify(text));
});

test('numbers of ours are no formulas', () => {
  assert.equal(csvLine([-1]), '-1\r\n');
});
