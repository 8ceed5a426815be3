/** Kept answers: whom they are sent to, until when, and how much memory they may use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { toWhole } from '../content/chunked-body.ts';
import { createKeptAnswers, type AnswerKey, type KeptAnswerLimits } from './kept-answers.ts';

const key: AnswerKey = { accountId: 1, memberId: 2, version: { rights: 1, list: 3 }, request: 'list' };

/** Counts how often answers are built; each is valid for ten seconds and has this many bytes. */
function open({ bytes = 100, ...limits }: Partial<KeptAnswerLimits> & { bytes?: number } = {}) {
  const answers = createKeptAnswers({ totalBytes: 1e6, bytesPerPerson: 1e6, ...limits });
  let built = 0;
  return {
    built: () => built,
    async get(changed: Partial<AnswerKey> = {}, now = 0) {
      const answer = await answers.get({ ...key, ...changed }, now, async () => {
        built += 1;
        return { sections: [Buffer.alloc(bytes, built)], validUntil: now + 10 };
      });
      assert.ok(!isFault(answer));
      return answer;
    },
  };
}

test('an answer is built once and sent again to the same person', async () => {
  const { get, built } = open();

  assert.equal((await get()).body, (await get({}, 9)).body);
  assert.equal(built(), 1);
});

test('another person, another request, another version and a later time get an answer and an ETag of their own', async () => {
  const { get } = open();

  const answers = [
    await get(),
    await get({ memberId: 4 }),
    await get({ accountId: 4 }),
    await get({ request: 'list of others' }),
    await get({ version: { rights: 1, list: 4 } }),
    await get({ version: { rights: 1, list: 4 } }, 10),
    await get({ version: { rights: 2, list: 3 } }, 10),
  ];

  assert.equal(new Set(answers.map(({ body }) => body)).size, answers.length);
  assert.equal(new Set(answers.map(({ etag }) => etag)).size, answers.length);
});

test('a clock that was set back does not get the answers of its future', async () => {
  const { get, built } = open();
  await get({}, 100);

  await get({}, 50);

  assert.equal(built(), 2);
});

test('an answer that is built again with the same content has the same ETag', async () => {
  const answers = createKeptAnswers();
  const tagOf = async (list: number, text: string) => {
    const version = { rights: 1, list };
    const built = { sections: [text], validUntil: 1 };
    const answer = await answers.get({ ...key, version }, 0, async () => built);
    return 'etag' in answer && answer.etag;
  };

  assert.equal(await tagOf(1, 'same'), await tagOf(2, 'same'));
  assert.notEqual(await tagOf(3, 'other'), await tagOf(4, 'same'));
});

test('a late answer of an earlier version does not replace a newer one', async () => {
  const { get, built } = open();
  const newer = await get({ version: { rights: 1, list: 4 } });

  await get({ version: { rights: 1, list: 3 } });

  assert.equal((await get({ version: { rights: 1, list: 4 } })).body, newer.body);
  assert.equal(built(), 2);
});

test('requests for the same answer that arrive while it is built share it', async () => {
  const { get, built } = open();

  const [one, other] = await Promise.all([get(), get()]);

  assert.equal(one.body, other.body);
  assert.equal(built(), 1);
});

test('a request that arrives after the time of an answer that is being built gets its own', async () => {
  const { get, built } = open();

  const [one, other] = await Promise.all([get({}, 0), get({}, 10)]);

  assert.notEqual(one.body, other.body);
  assert.equal(built(), 2);
});

test('a refusal or an exception is not kept', async () => {
  const answers = createKeptAnswers();
  const refused = fault('not_found');
  const broken = new Error('broken');

  assert.equal(await answers.get(key, 0, async () => refused), refused);
  await assert.rejects(async () => answers.get(key, 0, () => Promise.reject(broken)), broken);
  const built = await answers.get(key, 0, async () => ({ sections: ['now'], validUntil: 1 }));

  assert.equal('body' in built && String(toWhole(built.body)), 'now');
});

test('one person cannot fill the memory: the answers that they used least recently are dropped', async () => {
  const { get, built } = open({ bytes: 10_000, bytesPerPerson: 60_000 });
  const other = await get({ memberId: 4 });
  const kept = await get({ request: 'kept' });
  for (let number = 0; number < 20; number += 1) {
    await get({ request: `search ${number}` });
    assert.equal((await get({ request: 'kept' })).body, kept.body);
  }
  assert.equal(built(), 22);

  await get({ request: 'search 19' });
  assert.equal(built(), 22, 'the latest is kept');
  await get({ request: 'search 0' });
  assert.equal(built(), 23, 'an old one is not');
  assert.equal((await get({ memberId: 4 })).body, other.body, 'those of others are');
});

test('many people cannot fill the memory: the answers of those who asked least recently are dropped', async () => {
  const { get, built } = open({ bytes: 10_000, totalBytes: 100_000 });
  for (let memberId = 0; memberId < 20; memberId += 1) await get({ memberId });

  await get({ memberId: 19 });
  assert.equal(built(), 20);
  await get({ memberId: 0 });
  assert.equal(built(), 21);
});

test('an answer that is larger than the share of a person is sent but not kept', async () => {
  const { get, built } = open({ bytes: 10_000, bytesPerPerson: 5_000 });

  assert.equal((await get()).body.length, 10_000);
  await get();

  assert.equal(built(), 2);
});
