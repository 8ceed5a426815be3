/** The paths and the parts of documents that documents name exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPaths } from './document-paths.ts';
import { filesOf, read } from './imports.ts';

test('every file, folder and part of a document that a document names exists', () => {
  const documents = filesOf('{*.md,docs/**/*.md,*/README.md}');
  const missing = documents.flatMap((document) =>
    missingPaths(read(document), document).map((path) => `${document}: ${path}`),
  );

  assert.ok(documents.includes('README.md') && documents.includes('docs/decisions/README.md'));
  assert.deepEqual(missing, []);
});

test('a path that does not exist is found in code, lists, patterns, commands and links', () => {
  const text = [
    'Read `server/src/gone.ts`, `server/src/{main,left}.ts`, `tests/none-*.ts` and `renamed-file.ts`.',
    '```sh\nnpm test tests/http/absent.test.ts\n```',
    'See [here](docs/lost.md#part), [below](#nothing), [that](README.md#lost-part) and [there].\n\n[there]: moved.md',
    '`server/src/main.ts`, `main.ts`, `tests/http/*.test.ts`, `session/open`, [this](README.md#first-steps), [web](https://example.com/x.md)',
  ].join('\n\n');

  assert.deepEqual(missingPaths(text, 'README.md'), [
    'server/src/gone.ts',
    'server/src/left.ts',
    'tests/none-*.ts',
    'renamed-file.ts',
    'tests/http/absent.test.ts',
    'docs/lost.md',
    '#nothing',
    'README.md#lost-part',
    'moved.md',
  ]);
});
