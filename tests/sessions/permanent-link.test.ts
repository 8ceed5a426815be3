/** Guessing the password of a permanent link: slow for anyone who guesses, and no obstacle to anyone else. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { linkPasswordLimits } from '@drawbridge/server/public-pages/links/permanent-link';
import { createGuessLimiter } from '@drawbridge/server/edges/guess-limiter';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const password = 'correct horse 7';

for (const { kind, skip } of databases)
  describe(`guessing the password of a permanent link on ${kind}`, { skip }, () => {
    let service: TestService;
    let devices = 0;
    before(async () => {
      service = await startService({ database: kind, env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' } });
    });
    after(() => service[Symbol.asyncDispose]());

    async function newLink(): Promise<string> {
      const account = await service.account();
      const { id } = await account.agent();
      const url = `desk-${(devices += 1)}`;
      const { http } = await account.owner.call('agents/update', {
        id,
        permanent_url: { enable: true, url, password },
      });
      assert.equal(http, 200);
      return url;
    }
    const answer = (link: string, tried: string, from: string) =>
      service.testClient.send({
        method: 'POST',
        path: `/p/${link}`,
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'X-Forwarded-For': from,
          'X-Forwarded-Proto': 'https',
        },
        body: `password=${encodeURIComponent(tried)}`,
      });
    const guess = async (link: string, tried: string, from: string): Promise<number> =>
      (await answer(link, tried, from)).http;
    const wrong = async (link: string, count: number, from: (at: number) => string): Promise<number[]> => {
      const codes: number[] = [];
      for (let at = 0; at < count; at++) codes.push(await guess(link, `wrong ${at}`, from(at)));
      return codes;
    };

    test('wrong passwords from one network are refused after a few attempts, and the right one from another network opens the link', async () => {
      const link = await newLink();

      const codes = await wrong(link, 30, (at) => `2001:db8:1:1::${at + 1}`);

      assert.deepEqual(new Set(codes.slice(0, 10)), new Set([403]));
      // Some time passes between the attempts.
      assert.ok(codes.filter((http) => http === 429).length >= 18, codes.join());
      assert.equal(await guess(link, password, '2001:db8:2:2::1'), 303);
      assert.equal(await guess(link, password, '192.0.2.1'), 303);
    });

    test('wrong passwords from many networks at once do not lock out the right one, however often it is used', async () => {
      const link = await newLink();
      const network = (at: number): string => `198.51.100.${at}`;

      const codes = await wrong(link, 12, network);
      const opened: number[] = [];
      for (let at = 0; at < 15; at++) opened.push(await guess(link, password, '192.0.2.2'));

      assert.deepEqual(new Set(codes), new Set([403]));
      assert.deepEqual(new Set(opened), new Set([303]));
    });

    test('a network that opened the link before is not slowed down by guesses from elsewhere', async () => {
      const link = await newLink();
      const home = '192.0.2.3';
      await guess(link, password, home);
      await wrong(link, 10, () => '198.51.100.200');

      const codes = await wrong(link, 6, () => home);

      assert.deepEqual(codes, Array<number>(6).fill(403));
      assert.equal(await guess(link, password, home), 303);
    });

    test('guessing does not reveal whether a link exists', async () => {
      const [there, absent] = [await newLink(), 'desk-that-is-not'];
      const ofBoth: { http: number; text: string }[][] = [];
      for (const [link, from] of [
        [there, '203.0.113.1'],
        [absent, '203.0.113.2'],
      ] as const) {
        const answers = [];
        for (let at = 0; at < 12; at++) {
          const { http, text } = await answer(link, 'wrong', from);
          answers.push({ http, text: text.replaceAll(link, 'link') });
        }
        ofBoth.push(answers);
      }

      assert.deepEqual(ofBoth[0], ofBoth[1]);
      assert.deepEqual([ofBoth[0]![0]!.http, ofBoth[0]!.at(-1)!.http], [403, 429]);
      const { headers } = await answer(there, 'wrong', '203.0.113.1');
      assert.equal(headers['retry-after'], '180');
    });
  });

test('of ten thousand guesses in ten minutes at most thirty from one network are checked', () => {
  const clock = { ms: 0 };
  const tries = createGuessLimiter(linkPasswordLimits, () => clock.ms);
  let looked = 0;
  for (let count = 0; count < 10_000; count++) {
    looked += tries.guess(['desk'], `2001:db8:3:3::${count.toString(16)}`).allowed.length;
    clock.ms += 60;
  }

  assert.ok(looked > 10 && looked <= 30, String(looked));
  assert.deepEqual(tries.guess(['desk'], '192.0.2.1').allowed, ['desk']);
});
