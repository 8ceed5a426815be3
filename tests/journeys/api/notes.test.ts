/** Notes about devices, through the public API, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

for (const { kind, skip } of databases)
  describe(`notes on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const notesOf = async (person: TestPerson, agent_id: number) =>
      (await person.call('agents/notes', { agent_id })).body['data']?.notes as string | undefined;
    const write = (person: TestPerson, agent_id: number, notes: string) =>
      person.call('agents/notes/update', { agent_id, notes });

    test('the notes of one member are read by the others, line by line', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const reader = await account.member([{ type: 'agent', permissions: ['agent_chat'], agentId: id }]);
      assert.equal(await notesOf(account.owner, id), '');

      const { body } = await write(account.owner, id, 'Second floor.\n\tKey: Größe ✓');

      assert.deepEqual(body, { status: 0 });
      assert.equal(await notesOf(reader, id), 'Second floor.\n\tKey: Größe ✓');
      assert.equal((await write(reader, id, 'mine')).body.error?.code, 'forbidden');
      await write(account.owner, id, '');
      assert.equal(await notesOf(reader, id), '');
    });

    test('notes hold ten thousand characters and not one more', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      assert.equal((await write(account.owner, id, '😀'.repeat(10_000))).http, 200);
      assert.equal((await write(account.owner, id, 'x'.repeat(10_001))).body.error?.field, 'notes');
      assert.equal(await notesOf(account.owner, id), '😀'.repeat(10_000));
    });

    test('an update that names the previous text overwrites nothing that others wrote meanwhile', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await write(account.owner, id, 'one');
      const over = (was: string, notes: string) =>
        account.owner.call('agents/notes/update', { agent_id: id, notes, before: was });

      const refused = await over('', 'mine');

      assert.deepEqual(
        [refused.http, refused.body.status, refused.body.error?.code, refused.body.error?.field],
        [400, 1, 'changed_meanwhile', 'before'],
      );
      assert.equal(await notesOf(account.owner, id), 'one');
      assert.deepEqual((await over('one', 'mine')).body, { status: 0 });
      assert.equal(await notesOf(account.owner, id), 'mine');
    });

    test('the audit log says that notes were changed, not to what', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      await write(account.owner, id, 'The password is sesame.');
      await account.owner.call('agents/notes/update', {
        agent_id: id,
        notes: '',
        before: 'The password is sesame.',
      });

      const { body } = await account.owner.call('audit/list', { operation: 'agents/notes/update' });
      assert.deepEqual(body['data'][0].input, { agent_id: id });
      assert.equal(JSON.stringify(body).includes('sesame'), false);
    });

    test('when a duplicate is merged, its notes are kept', async () => {
      const account = await service.account();
      const [kept, twin] = [await account.agent(), await account.agent()];
      await write(account.owner, kept.id, 'one');
      await write(account.owner, twin.id, 'two');

      await account.owner.call('agents/merge', { agent_id: twin.id, target_agent_id: kept.id });

      assert.equal(await notesOf(account.owner, kept.id), 'one\n\ntwo');
    });
  });
