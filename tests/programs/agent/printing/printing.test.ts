/** Printing to the operator: who gets a printer, and which documents are sent. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultPolicy } from '@drawbridge/contract/policy';
import type { DataChunk } from '@drawbridge/contract/session/binary-frames';
import { maxDocumentBytes } from '@drawbridge/contract/session/features/printing';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import type { PrintJob } from '@drawbridge/agent/platform/printing/session-printer';
import { printingFeature } from '@drawbridge/agent/session/features/printing';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';
import { eventually } from '../../../kit/eventually.ts';

/** A device on which the test prints. Unless `reads` is false, the operator acknowledges everything. */
function start({ agrees = true, whyNoBanner = '', reads = true } = {}) {
  const events: string[] = [];
  const questions: string[] = [];
  let [printer, receive] = ['', async (_job: PrintJob): Promise<void> => {}];
  const desktop = { ask: async (question: string) => questions.push(question) > 0 && agrees };
  const fake = createFakeFeatureContext({
    desktop: async () => desktop as Partial<Desktop> as Desktop,
    async printer({ name, description }) {
      printer = name;
      events.push(`added: ${description}`);
      return {
        onJob: (next) => void (receive = next),
        close: async () => void events.push('removed'),
      };
    },
  });
  const { send: fakeSend } = fake;
  const context = Object.assign(fake, {
    send: ((kind, payload) => {
      fakeSend(kind, payload);
      if (reads && kind === 'document_bytes') {
        const { id, at, data } = payload as DataChunk;
        queueMicrotask(() => feature.handlers.document!({ is: 'taken', id, bytes: at + data.length }));
      }
    }) satisfies typeof fake.send,
    async showNotice(line: string) {
      events.push(line.replace(/[0-9A-F]{4}$/, 'CODE'));
      return { leave: () => void events.push('no line'), ...(whyNoBanner && { whyNot: whyNoBanner }) };
    },
    log: (line: string) => void events.push(line.replace(/Drawbridge-[0-9A-F]{4}$/, 'Drawbridge-CODE')),
  });
  const feature = printingFeature(context);
  const turn = async (on: boolean): Promise<void> => feature.handlers.printing!({ on });
  const print = (title: string, ...chunks: (string | Uint8Array)[]): Promise<void> =>
    receive({ title, content: contentOf(chunks) });
  return { context, feature, turn, events, questions, print, printer: () => printer };
}

async function* contentOf(chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

const line = 'ann@example.com receives what is printed on Drawbridge-CODE';
const added = 'added: Drawbridge: to ann@example.com';
const onAndOff = [line, added, line, 'removed', 'no line'];

describe('printing to the operator', () => {
  test('adds a printer when the operator turns it on, after a line in the banner, and removes it', async () => {
    const { context, turn, events, printer, feature } = start();
    await turn(true);
    assert.match(printer(), /^Drawbridge-[0-9A-F]{4}$/);
    await turn(false);
    await feature.stop();

    assert.deepEqual(events, onAndOff);
    assert.deepEqual(context.messages('printing'), [{ on: true, printer: printer() }, { on: false }]);
  });

  test('adds one printer, which is gone when the session has ended', async () => {
    const { turn, events, feature } = start();
    await Promise.all([turn(true), turn(true)]);
    await turn(true);
    await feature.stop();

    assert.deepEqual(events, onAndOff);
  });

  test('removes a printer that was added while the session ended', async () => {
    const { context, turn, events, feature } = start();
    const { printer } = context.platform;
    const slow = Promise.withResolvers<void>();
    context.platform.printer = async (options) => {
      const opened = await printer(options);
      await slow.promise;
      return opened;
    };
    const opening = turn(true);
    await eventually(
      () => events.length,
      (count) => count === 2,
    );
    const stopped = feature.stop();
    slow.resolve();
    // The end of the session alone waits for it.
    await stopped;

    assert.deepEqual(events, [line, added, 'removed', 'no line']);
    await opening;
  });

  for (const forbidding of [{ printing: 'off' }, { files: 'to_device' }] as const)
    test(`is not possible if the policy says ${JSON.stringify(forbidding)}, and ends when it does`, async () => {
      const { context, feature, turn, events } = start();
      context.policy = { ...defaultPolicy, ...forbidding };
      await assert.rejects(turn(true), /policy of this device does not allow printed documents/);
      assert.deepEqual(events, []);
      context.policy = defaultPolicy;
      await turn(true);
      context.policy = { ...defaultPolicy, ...forbidding };
      feature.policyChanged!();
      await new Promise(setImmediate);
      assert.deepEqual(events, onAndOff, 'before the session ends');
      await feature.stop();

      assert.match(context.messages('printing').at(-1)!.message!, /policy of this device does not allow/);
    });

  test('needs the agreement of a person who was asked before the session', async () => {
    const refusing = start({ agrees: false });
    refusing.context.isConfirmed = true;
    await assert.rejects(refusing.turn(true), /did not agree/);
    const agreeing = start();
    agreeing.context.isConfirmed = true;
    await agreeing.turn(true);

    assert.deepEqual(refusing.events, []);
    assert.deepEqual(agreeing.questions, ['ann@example.com wants to receive documents printed here']);
    assert.deepEqual(agreeing.events, [line, added, line]);
  });

  test('is not possible while nobody can see the line in the banner', async () => {
    const { turn, events } = start({ whyNoBanner: 'Nobody is logged in.' });

    await assert.rejects(turn(true), new NotPossible('Nobody is logged in.'));
    assert.deepEqual(events, [line, 'no line']);
  });
});

describe('a printed document', () => {
  test('is sent in chunks with its name and its size, and is logged', async () => {
    const { context, turn, events, print } = start();
    await turn(true);
    await print('A\u202e letter\n', '%P', 'DF-1.7 ', 'x'.repeat(100_000), '%%EOF\n');

    const content = Buffer.concat(context.pieces('document_bytes').map(({ data }) => data)).toString();
    assert.equal(content, `%PDF-1.7 ${'x'.repeat(100_000)}%%EOF\n`);
    assert.deepEqual(context.messages('document'), [
      { is: 'begin', id: 1, name: 'A letter' },
      { is: 'end', id: 1, size: content.length },
    ]);
    assert.ok(events.includes('ann@example.com receives the printed document A letter'));
  });

  test('has at most 120 characters of its title as its name', async () => {
    const { context, turn, print } = start();
    await turn(true);
    await print('😀'.repeat(1_000), '%PDF-1.7 %%EOF');

    const begin = context.messages('document')[0]!;
    assert.ok(begin.is === 'begin' && begin.name === '😀'.repeat(120));
  });

  test('waits for the operator to acknowledge what was sent', async () => {
    const { context, feature, turn, print } = start({ reads: false });
    await turn(true);
    const printed = print('Large', '%PDF-', new Uint8Array(10_000_000), '%%EOF');
    await eventually(
      () => context.pieces('document_bytes').length,
      (count) => count > 0,
    );
    await new Promise(setImmediate);
    const bytes = context.pieces('document_bytes').reduce((sum, { data }) => sum + data.length, 0);
    assert.ok(bytes <= 16 * 1_024, `${bytes} bytes`);
    void feature.handlers.document!({ is: 'stop', id: 1 });

    await assert.rejects(printed, new NotPossible('It was stopped.'));
    assert.equal(context.messages('document').at(-1)!.is, 'failed');
  });

  const refused: Record<string, [RegExp, ...(string | Uint8Array)[]]> = {
    'that is not a PDF': [/not a PDF/, '#!/bin/sh\n', '%PDF-1.7 %%EOF'],
    'that is empty': [/not a PDF/],
    'that is too short': [/not a PDF/, '%PDF'],
    'that was cut off': [/not complete/, '%PDF-1.7 ', 'half a page'],
    'that is too large': [/larger than 100 MB/, '%PDF-1.7 ', new Uint8Array(maxDocumentBytes)],
  };
  for (const [what, [message, ...chunks]] of Object.entries(refused))
    test(`${what} is refused`, async () => {
      const { context, turn, print } = start();
      await turn(true);

      await assert.rejects(print('Bad', ...chunks), message);
      const last = context.messages('document').at(-1)!;
      assert.ok(last.is === 'failed' && message.test(last.message));
      const bytes = context.pieces('document_bytes').reduce((sum, { data }) => sum + data.length, 0);
      assert.equal(bytes > 0, !message.test('not a PDF'));
    });

  test('is not sent any more when the session ends', async () => {
    const { context, feature, turn, print } = start({ reads: false });
    await turn(true);
    const printed = print('Large', '%PDF-', new Uint8Array(10_000_000), '%%EOF');
    await eventually(
      () => context.pieces('document_bytes').length,
      (count) => count > 0,
    );
    await Promise.all([feature.stop(), assert.rejects(printed)]);

    assert.deepEqual(
      context.messages('document').map(({ is }) => is),
      ['begin'],
    );
  });
});
