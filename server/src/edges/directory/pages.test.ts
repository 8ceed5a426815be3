/** Tests that a search whose last page is empty is not taken for the whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './pages.ts';

const search = { base: 'dc=example', filter: '(cn=*)', attributes: [] };
const pageOf = (...names: string[]) => ({
  searchEntries: names.map((dn) => ({ dn })),
  searchReferences: [],
});
type Pages = ReturnType<typeof pageOf>[];

/** A client whose searches return these pages, one list per search. */
const clientOf = (...searches: Pages[]) => ({
  searchPaginated: async function* () {
    yield* searches.shift()!;
  },
});

test('an empty last page is read again with another size, and refused if it is empty again', async () => {
  const cut: Pages = [pageOf('a', 'b'), pageOf()];
  const whole: Pages = [pageOf('a', 'b'), pageOf('c')];

  const readings = await Promise.all(
    [clientOf(whole), clientOf(cut, whole), clientOf(cut, cut), clientOf([pageOf()])].map((client) =>
      readAll(client, search, 10),
    ),
  );

  const [first, second, third, none] = readings;
  const all = [{ dn: 'a' }, { dn: 'b' }, { dn: 'c' }];
  assert.deepEqual([first, second, none], [all, all, []]);
  assert.deepEqual(third, { failure: 'incomplete' });
});

test('reading stops with the page that exceeds the limit', async () => {
  let pages = 0;
  const endless = {
    searchPaginated: async function* () {
      for (;;) {
        pages += 1;
        yield pageOf('a', 'b');
      }
    },
  };

  assert.deepEqual(await readAll(endless, search, 5), { failure: 'too_large' });
  assert.equal(pages, 3);
});
