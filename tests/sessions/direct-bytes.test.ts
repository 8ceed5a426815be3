/**
 * A real device on a direct connection to its operator: the bytes transferred there are in the history,
 * whichever side ends the session.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import { startAgent } from '../kit/agent/agent.ts';
import { uploadToDevice, downloadFromDevice } from '../kit/session/transfer-file.ts';
import { databases } from '../kit/server/database.ts';
import { openDirectChannel } from '../kit/session/direct-channel.ts';
import { listDevices, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { createFakePlatform } from '../kit/agent/fake-platform.ts';
import { postToSession, linkCode } from '../kit/session/session-ends.ts';
import { connectOperator } from '../kit/session/operator.ts';
import { eventually } from '../kit/eventually.ts';

/** A screen with a banner, and a person who may press Stop on it. */
function someDesktop() {
  const person = { stop: (): void => {} };
  const banner = {
    onStop: (stop: () => void) => void (person.stop = stop),
    setText: () => {},
    close: () => {},
  };
  const desktop = { onClose: () => {}, banner: async () => banner, close: () => {} } as unknown as Desktop;
  return { person, desktop };
}

const content = randomBytes(3_000_000);

for (const { kind, skip } of databases)
  describe(`bytes of a direct connection on ${kind}`, { skip }, () => {
    let service: TestService;
    let root = '';
    before(async () => {
      service = await startService({ database: kind, realTime: true });
      root = await mkdtemp(join(tmpdir(), 'drawbridge-direct-'));
    });
    after(async () => {
      await service[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    });

    /**
     * A session over a direct connection in which a file was uploaded to the device and downloaded from it.
     */
    async function transferOneFile() {
      const folder = await mkdtemp(join(root, 'device-'));
      const { owner } = await service.account();
      const files = () => openFiles({ DRAWBRIDGE_AGENT_FILES: folder });
      const { person, desktop } = someDesktop();
      const machine = createFakePlatform('desk', { desktop: async () => desktop, files });
      const agent = startAgent({
        server: service.testClient.baseUrl,
        token: await createEnrolToken(owner),
        machine,
      });
      const [device] = await eventually(
        () => listDevices(owner),
        ([first]) => first?.online === true,
      );
      const { body } = await owner.call('agents/connect', { agent_id: device!.id });
      const sessionKey = createKeyPair();
      const answer = await postToSession(service, 'open', {
        code: linkCode(body['data'].url),
        key: sessionKey.publicKey,
      });
      const opened = JSON.parse(answer.text) as OpenReply;
      const { server_key: serverKey } = opened;
      const operator = connectOperator({ ...opened, serverKey, deviceKey: opened.device.key!, sessionKey });
      await operator.until('state', ({ phase }) => phase === 'live');
      const channel = await openDirectChannel(operator);
      channel.move();
      await agent.until(/switched to the direct connection/);
      await uploadToDevice(operator, '/some.bin', content);
      assert.ok((await readFile(join(folder, 'some.bin'))).equals(content));
      assert.ok((await downloadFromDevice(operator, '/some.bin')).equals(content));
      return { owner, agent, operator, opened, person, channel };
    }

    type DirectSession = Awaited<ReturnType<typeof transferOneFile>>;
    const endings: Record<string, (fixture: DirectSession) => unknown> = {
      'the operator leaves': ({ operator }) => operator.leave(),
      'the person at the device stops it': ({ person }) => person.stop(),
      'the server ends it': ({ owner, opened }) => owner.call('sessions/close', { id: opened.session }),
      'the connection of the operator breaks': ({ operator }) => operator[Symbol.asyncDispose](),
    };

    for (const [what, end] of Object.entries(endings))
      test(`bytes of both directions are in the history once, when ${what}`, async () => {
        const fixture = await transferOneFile();
        const { owner, agent, operator, channel } = fixture;
        await using _agent = agent;
        await using _operator = operator;
        using _channel = channel;

        await end(fixture);

        const { bytes } = await eventually(
          async () => (await owner.call('history/list')).body['data'][0] as { bytes: number },
          (row) => row.bytes >= 2 * content.length,
        );
        assert.ok(bytes < 2.2 * content.length, String(bytes));
        const { text } = await service.testClient.send({
          path: '/v1/history/export',
          headers: { 'X-Api-Key': owner.apiKey },
        });
        const [names, cells] = text
          .trim()
          .split(/\r?\n/)
          .map((line) => line.split(','));
        assert.equal(cells!.at(names!.indexOf('bytes') - names!.length), String(bytes));
      });
  });
