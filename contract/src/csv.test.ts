/** Tests CSV output: what is quoted, and which cells are protected from being read as formulas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('a row follows RFC 4180', () => {
  assert.equal(csvLine([1, 'plain', '', 'with space']), '1,plain,,with space\r\n');
  assert.equal(
    csvLine(['a,b', 'say "so"', 'two\r\nlines', 'a;b']),
    '"a,b","say ""so""","two\r\nlines","a;b"\r\n',
  );
});

test('text that a spreadsheet would read as a formula is escaped', () => {
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

test('negative numbers are not escaped', () => {
  assert.equal(csvLine([-1]), '-1\r\n');
});
