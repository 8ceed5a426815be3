/**
 * What every operation returns when it succeeds: the fields of its row and no others, in the order of the
 * reference.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { callOperation, operationIds, operationTable, type OperationResponse } from './call-operation.ts';
import { createFullResources } from './full-resources.ts';
import { openDatabaseProbe, type DatabaseProbe } from './database-probe.ts';
import { assertDone, hasStatus, hasEmptyBody } from './outcomes.ts';
import { fieldsAt, hardwareKeys, objectsIn, replies } from './reference-shapes.ts';
import { operationRows } from './operation-rows/index.ts';
import { createResources } from './resources.ts';

/** The same schema, but an unknown field is an error, at every depth. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject)) return schema;
  const fields = Object.entries(schema.shape).map(([name, each]) => [name, strict(each as z.ZodType)]);
  return z.strictObject(Object.fromEntries(fields) as Record<string, z.ZodType>);
}

const replySchema = (id: OperationId): z.ZodType =>
  strict(
    hasStatus(id) ? operationTable[id].output.extend({ status: z.literal(0) }) : operationTable[id].output,
  );

function assertShape(id: OperationId, answer: OperationResponse): void {
  assertDone(id, answer);
  if (hasEmptyBody(id)) return;
  const { error } = replySchema(id).safeParse(answer.body);
  assert.equal(error, undefined, `${id}: ${error?.message} in ${answer.text}`);
  if (hasStatus(id)) assert.equal(Object.keys(answer.body)[0], 'status', `${id}: ${answer.text}`);
}

/** Each object has some of the reference's fields, in its order, and together they have all of them. */
function assertOrder(id: OperationId, answer: OperationResponse): void {
  const expected = replies[id] ?? assert.fail(`the reference has no reply of ${id}`);
  const seen = new Set<string>();
  for (const { path, fields } of objectsIn(answer.body)) {
    const inReference = fieldsAt(expected, path);
    assert.deepEqual(
      fields,
      inReference.filter((field) => fields.includes(field)),
      `${id} at "${path}"`,
    );
    for (const field of fields) seen.add(path ? `${path}.${field}` : field);
  }
  const all = expected.map((field) => field.replace(/\[\]$/, ''));
  assert.deepEqual([...seen].toSorted(), [...new Set(all)].toSorted(), id);
}

const typeOf = (id: OperationId): string | undefined => {
  const { reply = 'application/json; charset=utf-8' } = operationRows[id];
  return reply === 'empty' ? undefined : reply;
};

/** The operations of the reference whose reply holds more than a number and an id. */
const rich = operationIds.filter((id) => (replies[id]?.length ?? 0) > 2);

for (const { kind, skip } of databases)
  describe(`replies on ${kind}`, { skip }, () => {
    let service: TestService;
    let probe: DatabaseProbe;
    before(async () => {
      service = await startService({ database: kind });
      probe = await openDatabaseProbe(service);
    });
    after(async () => {
      await probe.close();
      await service[Symbol.asyncDispose]();
    });

    for (const id of operationIds)
      test(`${id} returns what its row declares and nothing else, and never null`, async () => {
        const resources = createResources(service, await service.account());
        const params = await operationRows[id].request(resources, service);

        const answer = await callOperation(service.testClient, id, params, {
          apiKey: resources.account.owner.apiKey,
        });

        assertShape(id, answer);
        assert.doesNotMatch(answer.text, /[:[,]null/);
        if (replies[id] && !rich.includes(id)) assertOrder(id, answer);
        assert.equal(answer.headers['content-type'], typeOf(id));
      });

    for (const id of rich)
      test(`${id} returns its fields in the order of the reference, all of them if nothing is absent`, async () => {
        const resources = await createFullResources(service, await service.account(), probe);
        const params = await operationRows[id].request(resources, service);

        const answer = await callOperation(service.testClient, id, params, {
          apiKey: resources.account.owner.apiKey,
        });

        assertShape(id, answer);
        assertOrder(id, answer);
      });

    test('every list and every record fits its row if nothing is absent, also beside the reference', async () => {
      const resources = await createFullResources(service, await service.account(), probe);
      for (const id of operationIds.filter((each) => operationTable[each].method === 'GET')) {
        const params = await operationRows[id].request(resources, service);

        const answer = await callOperation(service.testClient, id, params, {
          apiKey: resources.account.owner.apiKey,
        });

        assertShape(id, answer);
      }
    });

    test('hardware has 36 keys in alphabetical order, also for a device that reported nothing', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      const { body } = await account.owner.call('agents/info', { agent_id: id });

      assert.deepEqual(Object.keys(body['data'].hardware as object), hardwareKeys);
      assert.deepEqual(hardwareKeys, hardwareKeys.toSorted());
      assert.equal(hardwareKeys.length, 36);
    });
  });
