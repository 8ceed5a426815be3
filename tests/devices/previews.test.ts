/** Invalid thumbnails: what a device or a client sends reaches no browser unless it is small when decoded. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { startService, type TestService } from '../kit/server/service.ts';
import { largePng } from '../kit/display/large-png.ts';
import { joinLobby } from '../kit/session/session-ends.ts';
import { eventually } from '../kit/eventually.ts';

const bomb = largePng(16_000, 16_000);
const text = (bytes: Buffer): string => bytes.toString('base64');
/** Too large to be shown, or not a picture. */
const refused: Record<string, Buffer> = {
  'a PNG of 16000 × 16000': bomb,
  'a line of 60000 pixels': largePng(60_000, 1),
  'something that is no picture': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

describe('previews', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service[Symbol.asyncDispose]());

  const preview = async (picture: Buffer, type: 'image/png' | 'image/jpeg' = 'image/png') => {
    const account = await service.account();
    const { id } = await account.agent();
    await service.plugIn(id, { done: { type, picture: text(picture) } });
    const { preview_url } = (await account.owner.call('agents/info', { agent_id: id })).body['data'];
    return service.testClient.send({ path: new URL(preview_url).pathname });
  };

  test('the file is small, and the picture is not', () => {
    assert.ok(bomb.length < 64_000, String(bomb.length));
  });

  for (const [name, picture] of Object.entries(refused))
    test(`of a device, ${name} is not forwarded`, async () => {
      const { http, headers, bytes } = await preview(picture);

      assert.deepEqual([http, headers['content-type']], [200, 'image/svg+xml']);
      assert.ok(!bytes.equals(picture));
    });

  test('a small picture is forwarded with the type of its bytes, not the declared one', async () => {
    const picture = largePng(320, 900);

    const { http, headers, bytes } = await preview(picture, 'image/jpeg');

    assert.deepEqual([http, headers['content-type']], [200, 'image/png']);
    assert.ok(bytes.equals(picture));
  });

  test('of a client, none of them replaces the picture that is shown', async () => {
    const { owner } = await service.account();
    const { id, invite_code } = (await owner.call('support/create')).body['data'];
    await using client = await joinLobby(service.server.config.publicUrl, invite_code);
    await client.waitFor('welcome');
    const { client_preview_url } = (await owner.call('support/info', { connection_id: id })).body['data'];
    const shown = async () =>
      (await service.testClient.send({ path: new URL(client_preview_url).pathname })).bytes;
    const say = (picture: Buffer): void =>
      client.send({ kind: 'preview', type: 'image/png', picture: text(picture) });

    for (const [size, picture] of Object.values(refused).entries()) {
      const small = largePng(100, 100 + size);
      say(small);
      await eventually(shown, (bytes) => bytes.equals(small));
      say(picture);
      // Once its ping is answered, everything before it has been received.
      const answered = once(client.socket, 'pong');
      client.socket.ping();
      await answered;
      assert.ok((await shown()).equals(small));
    }
  });
});
