/** Untrusted names and texts, as they are shown and as they are saved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableName, readableText } from '@drawbridge/web/ui/readable-text';
import { safeName } from '@drawbridge/web/ui/save-file';
import { hostileNames } from '../../kit/hostile/hostile-names.ts';
import { hostileTexts, misleading } from '../../kit/hostile/hostile.ts';

test('a name is shown with a visible sign for every invisible character in it', () => {
  const cases: [string, string][] = [
    ['invoice\u202egpj.exe', 'invoice\ufffdgpj.exe'],
    ['a\nb\0c', 'a\ufffdb\ufffdc'],
    ['rep\u200dort.txt', 'rep\ufffdort.txt'],
    ['\u3164.txt', '\ufffd.txt'],
    ['report.pdf\u2003\u2003.exe', 'report.pdf  .exe'],
    [' a ', '␣a␣'],
    ['   ', '␣␣␣'],
    ['\ud83d.txt', '\ufffd.txt'],
    // Characters that belong to words and emoji stay.
    ['👨‍👩‍👧.png', '👨‍👩‍👧.png'],
    ['می‌خواهم.txt', 'می‌خواهم.txt'],
    ['żółw é e\u0301.txt', 'żółw é e\u0301.txt'],
  ];
  for (const [name, shown] of cases) assert.equal(readableName(name), shown);
  for (const name of hostileNames) assert.doesNotMatch(readableName(name), misleading);
});

test('a text keeps its lines, and nothing in it reverses or hides the rest', () => {
  assert.equal(readableText('a\r\nb\tc\u2028d\u0000\u001b[31me\u202ef\u2066g'), 'a\nb\tc\nd[31mefg');
  for (const text of Object.values(hostileTexts))
    assert.doesNotMatch(readableText(text).replace(/[\n\t]/g, ''), misleading);
});

test('a file is saved under one name that means the same on every system', () => {
  const cases: [string, string][] = [
    ['../x', '.._x'],
    ['..', 'file'],
    ['', 'file'],
    ['con.txt', '_con.txt'],
    ['NUL', '_NUL'],
    ['console.txt', 'console.txt'],
    ['a. . ', 'a'],
    ['C:\\x', 'C__x'],
    ['a.txt::$DATA', 'a.txt__$DATA'],
    ['invoice\u202egpj.exe', 'invoice_gpj.exe'],
    [`${'ż'.repeat(300)}.tar.gz`, `${'ż'.repeat(98)}.gz`],
  ];
  for (const [name, saved] of cases) assert.equal(safeName(name), saved);
  for (const name of hostileNames) {
    const saved = safeName(name);
    assert.ok(saved !== '' && Buffer.byteLength(saved) <= 200, name);
    assert.doesNotMatch(saved, /[\\/:*?"<>|\p{Cc}]|^\.*$|[. ]$/u);
  }
});
