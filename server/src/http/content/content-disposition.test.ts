/** The names under which a browser saves files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentDisposition } from './content-disposition.ts';

const cases: [name: string, plain: string, whole: string][] = [
  ['manual.pdf', 'manual.pdf', 'manual.pdf'],
  ['Anleitung für Zoë.pdf', 'Anleitung f_r Zo_.pdf', 'Anleitung%20f%C3%BCr%20Zo%C3%AB.pdf'],
  ['说明书.pdf', '___.pdf', '%E8%AF%B4%E6%98%8E%E4%B9%A6.pdf'],
  ['../../etc/passwd', '__.._etc_passwd', '__.._etc_passwd'],
  ['..\\..\\boot.ini', '__.._boot.ini', '__.._boot.ini'],
  ['.bashrc', '_bashrc', '_bashrc'],
  ['..', '_', '_'],
  ['CON', '_CON', '_CON'],
  ['nul.txt', '_nul.txt', '_nul.txt'],
  ['a"; filename="b.exe', 'a_; filename=_b.exe', 'a_%3B%20filename%3D_b.exe'],
  ['100%41.txt', '100_41.txt', '100_41.txt'],
  ["it's (1)!*.txt", "it's (1)!_.txt", 'it%27s%20%281%29%21_.txt'],
  ['a\r\nSet-Cookie: x=1', 'a__Set-Cookie_ x=1', 'a__Set-Cookie_%20x%3D1'],
  ['invoice\u202efdp.exe', 'invoice_fdp.exe', 'invoice_fdp.exe'],
  ['stream.txt:hidden', 'stream.txt_hidden', 'stream.txt_hidden'],
  ['name. . ', 'name_', 'name_'],
  ['\ud800', '_', '%EF%BF%BD'],
  ['', '_', '_'],
];

for (const [name, plain, whole] of cases)
  test(`${JSON.stringify(name)} is saved as ${plain}`, () => {
    assert.equal(contentDisposition(name), `attachment; filename="${plain}"; filename*=UTF-8''${whole}`);
  });
