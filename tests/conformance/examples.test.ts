/** The examples in the manual are requests that were sent to a server, with the replies that it gave. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Examples } from '@drawbridge/contract/documents/manual';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import { createReleaseFolder } from '../kit/agent/release.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { examplesFile, projectRoot, readExamples } from '../../scripts/derived-files.ts';
import { callOperation, operationTable } from './call-operation.ts';
import { tellStory } from './story/example-story.ts';
import type { OperationParams } from './operation-rows/row.ts';

/** Codes and keys are random; each is replaced by a text of its length that is the same in every run. */
function createStabilizer(): (text: string) => string {
  const known = new Map<string, string>();
  const letters = (given: string): string => {
    const digest = createHash('sha512').update(`example ${known.size}`).digest('base64url');
    return digest.repeat(Math.ceil(given.length / digest.length)).slice(0, given.length);
  };
  const replace = (given: string): string => {
    if (/^[0-9a-f]{64}$/.test(given)) return given; // a digest of something that is the same in every run
    known.set(given, known.get(given) ?? letters(given));
    return known.get(given)!;
  };
  return (text) =>
    text
      .replaceAll(/(?<=\.)[\w-]{22}(?=")|(?<="prefix":")[\w-]+|[\w-]{43,}/g, replace)
      .replaceAll(/(?<="invite_code":"|\/i\/)\d{9}/g, '294617583')
      .replaceAll(/(?<="sign_in_name":"|\/panel\/sso\/)[a-z0-9]{5}-[a-z0-9]{5}/g, 'rmzug-hrnpk');
}

async function takeExamples(service: TestService): Promise<Examples> {
  const account = await service.account('owner@example.com');
  const { apiKey } = account.owner;
  const stabilize = createStabilizer();
  const operations: Examples['operations'] = {};
  const send = async (id: OperationId, params: OperationParams) => {
    const answer = await callOperation(service.testClient, id, params, { apiKey });
    return { ...answer, shown: answer.text && stabilize(answer.text) };
  };
  await tellStory({
    service,
    account,
    async tell(id, params = {}) {
      const { http, body, text, shown } = await send(id, params);
      assert.equal(http, 200, `${id}: ${text}`);
      const isJson = shown !== '' && operationTable[id].answers !== 'bytes';
      operations[id] = { params, ...(isJson && { reply: JSON.parse(shown) as object }) };
      return body;
    },
  });
  const refused = JSON.parse((await send('agents/reboot', { id: '12' })).shown) as object;
  const sorted = (Object.keys(v1) as OperationId[]).map((id) => [id, operations[id]]);
  return { refused, operations: Object.fromEntries(sorted) as Examples['operations'] };
}

test('every operation has an example in the manual, and a server gives exactly this reply', async () => {
  using release = createReleaseFolder();
  release.offer('1.5.0');
  await using service = await startService({
    env: { DRAWBRIDGE_PUBLIC_URL: 'https://help.example.com', DRAWBRIDGE_DOWNLOADS: release.folder },
  });

  const taken = await takeExamples(service);

  if (process.env['REFRESH_EXAMPLES'] === '1')
    await writeFile(new URL(examplesFile, projectRoot), `${JSON.stringify(taken, null, 2)}\n`);
  assert.deepEqual(taken, readExamples());
});
