/** The console's side of file transfer against the device's own, with the connection cut at bad moments. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openFiles } from '@drawbridge/agent/platform/linux/session-files';
import type { Part } from '@drawbridge/agent/session/part';
import { files } from '@drawbridge/agent/session/parts/files';
import { createRemote } from '@drawbridge/web/console/panels/files/remote';
import { createTalks, Refused } from '@drawbridge/web/console/panels/files/talk';
import { createEars } from '@drawbridge/web/session/ears';
import { payloadBytes, readPayload } from '@drawbridge/web/session/payloads';
import type { Session, State } from '@drawbridge/web/session/session';
import { fakeLeg } from '../kit/leg.ts';

let root = '';
before(async () => (root = await mkdtemp(join(tmpdir(), 'drawbridge-transfer-'))));
after(() => rm(root, { recursive: true }));

/** A session with the device's real part behind it; after so many frames of the device it is cut once. */
function connect(cutAfter = Infinity) {
  const ears = createEars();
  const changes = new Set<() => void>();
  const state: State = { phase: 'live', message: '' };
  let left = cutAfter;
  let part = begin();

  function begin(): Part {
    const leg = fakeLeg({ files: () => openFiles({ DRAWBRIDGE_AGENT_FILES: root }) });
    const mine = files({
      ...leg,
      send(kind, payload) {
        if (state.phase !== 'live' || part !== mine) return;
        if (--left === 0) return void cut();
        const read = readPayload(kind, Uint8Array.from(payload))!;
        queueMicrotask(() => ears.tell(kind, read));
      },
    });
    return mine;
  }

  function become(phase: State['phase']): void {
    state.phase = phase;
    changes.forEach((each) => each());
  }

  async function cut(): Promise<void> {
    become('reconnecting');
    await part.stop();
    part = begin();
    setImmediate(() => become('live'));
  }

  const session = {
    state,
    on: ears.on,
    onChange(listener: () => void) {
      changes.add(listener);
      return () => changes.delete(listener);
    },
    room: async () => {},
    send(kind, payload) {
      if (state.phase !== 'live') return false;
      void part.hear[kind]!(payloadBytes(kind, payload));
      return true;
    },
  } as Pick<Session, 'state' | 'on' | 'onChange' | 'room' | 'send'> as Session;
  return createRemote(createTalks(session));
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const never = new AbortController().signal;

async function fetched(remote: ReturnType<typeof connect>, path: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await remote.fetch(path, never)).content) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('files between a console and a device', () => {
  const content = randomBytes(7_000_000);

  for (const cutAfter of [Infinity, 1, 2, 30, 80])
    test(`a file arrives whole, ${cutAfter === Infinity ? 'without a cut' : `cut after ${cutAfter} frames`}`, async () => {
      const remote = connect(cutAfter);
      await writeFile(join(root, 'down'), content);
      assert.equal(sha256(await fetched(remote, '/down')), sha256(content));
    });

  for (const cutAfter of [Infinity, 1, 2, 20, 54, 55, 56])
    test(`a file is brought whole, ${cutAfter === Infinity ? 'without a cut' : `cut after ${cutAfter} answers`}`, async () => {
      const remote = connect(cutAfter);
      const progress: number[] = [];
      await remote.bring(
        {
          path: `/up-${cutAfter}`,
          content: new Blob([content]),
          time: 1_700_000_000,
          replace: false,
          onProgress: (bytes) => progress.push(bytes),
        },
        never,
      );
      assert.equal(sha256(await readFile(join(root, `up-${cutAfter}`))), sha256(content));
      assert.equal(progress.at(-1), content.length);
    });

  test('empty files come and go', async () => {
    const remote = connect();
    const file = { path: '/empty', content: new Blob([]), replace: false, onProgress: () => {} };
    await remote.bring(file, never);
    assert.equal((await fetched(remote, '/empty')).length, 0);
  });

  test('a folder with thousands of files is listed to its end', async () => {
    const remote = connect();
    await mkdir(join(root, 'full'));
    const names = Array.from({ length: 1_501 }, (_, index) => `n${String(index).padStart(5, '0')}`);
    await Promise.all(names.map((name) => writeFile(join(root, 'full', name), '')));
    assert.deepEqual(
      (await remote.list('/full')).map(({ name }) => name),
      names,
    );
  });

  test('a refusal is told in a sentence', async () => {
    await assert.rejects(connect().fetch('/nothing', never), new Refused('There is nothing of that name.'));
  });

  test('a transfer can be stopped, and another goes on', async () => {
    const remote = connect();
    const stop = new AbortController();
    const { content: pieces } = await remote.fetch('/down', stop.signal);
    await pieces.next();
    stop.abort();
    await assert.rejects(
      async () => {
        for await (const piece of pieces) assert.ok(piece);
      },
      { name: 'AbortError' },
    );
    assert.ok((await fetched(remote, '/down')).equals(content));
  });
});
