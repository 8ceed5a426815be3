/** How the code says no: which exception classes exist, and that close codes of WebSockets are in one table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, read } from './imports.ts';

const production = filesOf('{contract,session,sdk,server,cli,agent,relay,web}/src/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.test.ts'),
);

/** One for each program that needs one; each page of `web` is a program. Everything else that is refused is a value. */
const exceptionClasses: Record<string, string> = {
  'agent/src/platform/platform.ts': 'NotPossible',
  'sdk/src/error.ts': 'DrawbridgeError',
  'server/src/compose/start-refused.ts': 'StartRefused',
  'web/src/console/panels/files/file-exchange.ts': 'FileError',
  'web/src/panel/panel-api-error.ts': 'PanelApiError',
  'web/src/player/playback-error.ts': 'PlaybackError',
};

/** Classes of the browser that cannot be an exception. */
const otherBases = ['AudioWorkletProcessor'];

const exceptionsIn = (text: string): string[] =>
  [...text.matchAll(/\bclass\b\s*(\w*)\s*extends\s+([\w.]+)/g)]
    .filter(([, , base = '']) => !otherBases.includes(base))
    .map(([, name = '']) => name);

test('each program has at most one exception class', () => {
  const found = production.flatMap((file) => exceptionsIn(read(file)).map((name) => [file, name]));

  assert.deepEqual(Object.fromEntries(found), exceptionClasses);
  assert.equal(found.length, Object.keys(exceptionClasses).length);
});

const closeCodes = 'contract/src/close-codes.ts';

/** 1000 and 4000 are ordinary numbers as well: they count where something is closed or a code is named. */
const closeCodePatterns = [
  /\b(?:1_?00[1-9]|1_?01[0-5]|4_?00[1-9])\b/,
  /\bclose(?:Socket)?\([^;\n]*\b[14]_?000\b/,
  /\b\w*(?:code|clos\w+)(?<!Ms)\b\s*(?:[:=]|[!=]==)\s*\[?[14]_?000\b/i,
];

const namesCloseCode = (text: string): boolean => closeCodePatterns.some((pattern) => pattern.test(text));

test('close codes of WebSockets are numbers only in their table', () => {
  assert.deepEqual(
    production.filter((file) => namesCloseCode(read(file))),
    [closeCodes],
  );
});

test('a close code is found in any form, and a duration is not taken for one', () => {
  const codes = [
    'socket.close(1_000);',
    'socket.close(4000, "gone")',
    'closeSocket(socket, { code: 4_000, reason: "" })',
    'const normalClosure = 1_000;',
    'if (code === 1000) return;',
    'const lost = 1_006;',
  ];
  const others = ['const closeTimeoutMs = 1_000;', 'setTimeout(stop, 4_000);', 'listener.close(0)', '1_024'];

  assert.deepEqual([...codes, ...others].map(namesCloseCode), [
    ...codes.map(() => true),
    ...others.map(() => false),
  ]);
});
