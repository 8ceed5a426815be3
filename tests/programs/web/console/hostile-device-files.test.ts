/**
 * A hostile device attacks the operator through files: names that leave the archive, and endless folders,
 * pages and files.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  decodeMessage,
  encodeMessage,
  type FileEntry,
  type SessionMessage,
} from '@drawbridge/contract/session/messages';
import { createSendWindow } from '@drawbridge/session/send-window';
import { createRemoteFiles, type RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import { filesBelow, maxEntries } from '@drawbridge/web/console/panels/files/download-folder';
import {
  FileError,
  type FileExchangeReply,
  type FileExchanges,
  type FileRequest,
} from '@drawbridge/web/console/panels/files/file-exchange';
import { blockHashHex, sha256Hex } from '../../../kit/agent/files-fixture.ts';
import { hostileNames } from '../../../kit/hostile/hostile-names.ts';

const entry = (name: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  name,
  kind,
  size: 1,
  time: 0,
  writable: true,
});

/** A device that lists these entries in every folder, and has one byte in every file. */
const showing = (entriesIn: (path: string) => FileEntry[]): RemoteFiles =>
  ({
    async list(path) {
      await setImmediate();
      return { entries: entriesIn(path), total: 0 };
    },
    download: async () => ({
      size: 1,
      time: 0,
      content: (async function* () {
        yield Uint8Array.of(1);
      })(),
    }),
  }) as Partial<RemoteFiles> as RemoteFiles;

async function archived(remote: RemoteFiles, as = 'top') {
  const [names, leftOut]: [string[], string[]] = [[], []];
  const { signal } = new AbortController();
  for await (const { name } of filesBelow(remote, { path: '/top', as }, { leftOut, at() {}, signal }))
    names.push(name);
  return { names, leftOut };
}

describe('an archive of a folder', () => {
  const kinds = ['file', 'folder'] as const;
  const all = hostileNames.flatMap((name) => kinds.map((kind) => entry(name, kind)));

  test('has only unique names that stay below its own folder on every system', async () => {
    const { names } = await archived(showing((path) => (path === '/top' ? [...all, ...all] : [])));

    assert.equal(names.length, 2 * all.length);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) {
      const parts = name.replace(/\/$/, '').split('/');
      assert.equal(parts.length, 2, name);
      assert.equal(parts[0], 'top');
      assert.doesNotMatch(parts[1]!, /^$|^\.{1,2}$|[\p{Cc}\\:*?"<>|\u202a-\u202e\u2066-\u2069]|[. ]$/u);
      assert.doesNotMatch(parts[1]!, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      assert.ok(Buffer.byteLength(parts[1]!) <= 300, 'no name is longer than systems take');
    }
  });

  for (const name of ['..', '../..', '/', 'C:\\Windows', '']) {
    test(`named ${JSON.stringify(name)} stays below one folder too`, async () => {
      const { names } = await archived(
        showing(() => [entry('file')]),
        name,
      );
      assert.match(names[0]!, /^[^/\\:]*[^/\\:.]\/file$/);
    });
  }

  test('keeps ordinary file names', async () => {
    const usual = ['a b.txt', '.bashrc', 'Ünïcode – 文件.pdf', "it's (1).tar.gz", 'a'.repeat(255)];
    const { names } = await archived(showing(() => usual.map((name) => entry(name))));
    assert.deepEqual(
      names,
      usual.map((name) => `top/${name}`),
    );
  });

  test('ends at endlessly nested folders, and says what is left out', { timeout: 60_000 }, async () => {
    const { names, leftOut } = await archived(showing(() => [entry('a', 'folder'), entry('f')]));
    assert.equal(names.length, 100);
    assert.deepEqual(leftOut, [`top${'/a'.repeat(100)}`]);
  });

  test('ends where there are too many folders', { timeout: 120_000 }, async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => entry(`d${index}`, 'folder'));
    const { leftOut } = await archived(showing(() => many));
    assert.deepEqual(leftOut, [`all entries after the first ${maxEntries}`]);
  });
});

describe('a listing', () => {
  for (const name of ['..', '.', '', '../x', '/etc/passwd', 'a/b', 'a\0b'])
    test(`with the name ${JSON.stringify(name)} is rejected`, () => {
      const answer: SessionMessage<'file_answer'> = {
        is: 'list',
        id: 1,
        path: '/',
        entries: [entry(name)],
        more: false,
      };
      assert.equal(decodeMessage('file_answer', encodeMessage('file_answer', answer)), undefined);
      const plain = { ...answer, entries: [entry('..a')] };
      assert.deepEqual(decodeMessage('file_answer', encodeMessage('file_answer', plain)), plain);
    });
});

/** Requests to which the device always answers with the next of these. */
function endlessExchanges(next: () => FileExchangeReply): {
  exchanges: FileExchanges;
  requests: FileRequest[];
} {
  const requests: FileRequest[] = [];
  const exchange = {
    send: (request: FileRequest) => void requests.push(request),
    sendChunk: async () => {},
    async receive() {
      await setImmediate();
      return next();
    },
    stop: () => void requests.push({ do: 'stop' }),
    close() {},
  };
  const sendWindow = createSendWindow(() => 0);
  return {
    exchanges: { open: () => ({ ...exchange }), sendWindow, whenLive: async () => {}, stop() {} },
    requests,
  };
}

const bytes = Uint8Array.of(1, 2, 3);
const hashes = { blocks: blockHashHex(bytes), whole: sha256Hex(bytes) };

for (const [kind, hash] of [
  ['blocks', 'blocks'],
  ['whole', undefined],
] as const)
  for (const sent of ['blocks', 'whole'] as const)
    test(`a download with the hash of the ${kind} is ${kind === sent ? 'accepted' : 'refused'} with that of the ${sent}`, async () => {
      const replies: FileExchangeReply[] = [
        { is: 'get', id: 1, size: bytes.length, time: 0, hash },
        { is: 'bytes', at: 0, data: bytes },
        { is: 'sent', id: 1, sha256: hashes[sent] },
      ];
      const { exchanges } = endlessExchanges(() => replies.shift()!);

      const download = await createRemoteFiles(exchanges).download('/log', new AbortController().signal);
      const received = Array.fromAsync(download.content);

      if (kind === sent) assert.deepEqual(await received, [bytes]);
      else
        await assert.rejects(received, {
          code: 'device_refused',
          message: 'The file changed during the download. Download it again.',
        });
    });

test('a download that continues at an agent with another kind of hash ends in an error', async () => {
  const lost = new FileError('connection_lost');
  const replies: (FileExchangeReply | FileError)[] = [
    { is: 'get', id: 1, size: 2, time: 0, hash: 'blocks' },
    { is: 'bytes', at: 0, data: new Uint8Array(1) },
    lost,
    { is: 'get', id: 2, size: 2, time: 0 },
  ];
  const { exchanges, requests } = endlessExchanges(() => {
    const reply = replies.shift()!;
    if (reply instanceof FileError) throw reply;
    return reply;
  });

  const { content } = await createRemoteFiles(exchanges).download('/log', new AbortController().signal);

  await assert.rejects(Array.fromAsync(content), {
    code: 'device_refused',
    message: 'The agent changed during the download. Download the file again.',
  });
  assert.deepEqual(
    requests.filter((request) => request.do === 'get'),
    [0, 1].map((from) => ({ do: 'get', path: '/log', from, hash: 'blocks' })),
  );
});

describe('an endless device', () => {
  test('that keeps sending pages of a folder is cut off', { timeout: 60_000 }, async () => {
    const entries = Array.from({ length: 500 }, (_, index) => entry(`f${index}`));
    const { exchanges, requests } = endlessExchanges(() => ({
      is: 'list',
      id: 1,
      path: '/',
      entries,
      more: true,
      total: 1,
    }));

    await assert.rejects(createRemoteFiles(exchanges).list('/'), /too many entries/);
    assert.ok(requests.length < 300);
  });

  test('that keeps sending a file is cut off at the size it announced', { timeout: 60_000 }, async () => {
    const size = 400;
    let spoken = 0;
    const { exchanges, requests } = endlessExchanges(() => {
      spoken += 1;
      if (spoken === 1) return { is: 'get', id: 1, size: 1_000, time: 0 };
      return { is: 'bytes', at: (spoken - 2) * size, data: new Uint8Array(size) };
    });

    const { content } = await createRemoteFiles(exchanges).download('/log', new AbortController().signal);
    let taken = 0;
    await assert.rejects(
      async () => {
        for await (const piece of content) taken += piece.length;
      },
      { code: 'device_refused' },
    );

    assert.equal(taken, 2 * size);
    assert.deepEqual(requests.at(-1), { do: 'stop' });
  });
});
