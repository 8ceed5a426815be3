/** The terminal of a session: real shells on the device, one stream each. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { decodePayload } from '@drawbridge/session/payloads';
import { openShell } from '@drawbridge/agent/platform/linux/shell';
import { terminalFeature } from '@drawbridge/agent/session/features/terminal';
import { createFakeFeatureContext } from '../../kit/agent/fake-feature-context.ts';
import { eventually } from '../../kit/eventually.ts';
import { useEmptyHome } from '../../kit/agent/empty-home.ts';

function start() {
  const featureContext = createFakeFeatureContext({ shell: openShell });
  const part = terminalFeature(featureContext);
  return {
    featureContext,
    send: async (message: SessionMessage<'terminal'>) => part.handlers.terminal!(message),
    type: (id: number, text: string) =>
      void part.handlers.terminal_bytes!({ id, at: 0, data: Buffer.from(text) }),
    stop: () => part.stop(),
    part,
    output: (id: number) =>
      Buffer.concat(
        featureContext
          .pieces('terminal_bytes')
          .filter((each) => each.id === id)
          .map(({ data }) => data),
      ).toString(),
  };
}

const opened = { do: 'open', id: 1, columns: 80, rows: 24 } as const;

describe('the terminal of a session', () => {
  useEmptyHome();
  test('runs what is typed and shows what it prints', async () => {
    const one = start();
    await one.send(opened);
    one.type(1, 'echo $((6*7))-$TERM-здравствуй\n');
    await eventually(
      async () => one.output(1),
      (text) => text.includes('42-xterm-256color-здравствуй'),
    );
    await one.stop();
  });

  test('keeps what is typed while it opens', async () => {
    const one = start();
    const opens = one.send(opened);
    one.type(1, 'echo early-$((3+4))\n');
    await opens;
    await eventually(
      async () => one.output(1),
      (text) => text.includes('early-7'),
    );
    await one.stop();
  });

  test('knows its size, also after a change', async () => {
    const one = start();
    await one.send({ ...opened, columns: 101, rows: 33 });
    one.type(1, 'stty size\n');
    await eventually(
      async () => one.output(1),
      (text) => text.includes('33 101'),
    );
    await one.send({ do: 'resize', id: 1, columns: 90, rows: 20 });
    one.type(1, 'stty size\n');
    await eventually(
      async () => one.output(1),
      (text) => text.includes('20 90'),
    );
    await one.stop();
  });

  test("reveals none of the agent's settings", async () => {
    process.env['DRAWBRIDGE_SECRET_OF_TEST'] = 'canary-4711';
    const one = start();
    await one.send(opened);
    one.type(1, 'env; echo the-end-$((1+1))\n');
    await eventually(
      async () => one.output(1),
      (text) => text.includes('the-end-2'),
    );
    assert.ok(!one.output(1).includes('canary-4711'));
    delete process.env['DRAWBRIDGE_SECRET_OF_TEST'];
    await one.stop();
  });

  test('a shell that ends is reported, and its number is free again', async () => {
    const one = start();
    await one.send(opened);
    one.type(1, 'exit 3\n');
    const closed = await eventually(
      async () => one.featureContext.messages('terminal')[0],
      (message) => message?.do === 'closed',
    );
    assert.deepEqual(closed, { do: 'closed', id: 1, message: 'The shell exited with code 3.' });
    await one.send(opened);
    one.type(1, 'echo again-$((1+2))\n');
    await eventually(
      async () => one.output(1),
      (text) => text.includes('again-3'),
    );
    await one.stop();
  });

  test('is paused while the operator does not read', async () => {
    const one = start();
    await one.send(opened);
    one.type(1, 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo done-$((2+2))\n');
    const held = await eventually(
      async () => one.output(1).length,
      (length) => length >= 256 * 1_024,
    );
    assert.ok(held < 1_000_000, `${held} bytes were sent to somebody who reads nothing`);
    const reading = setInterval(() => void one.send({ do: 'read', id: 1, bytes: one.output(1).length }), 5);
    await eventually(
      async () => one.output(1),
      (text) => text.includes('done-4'),
    );
    clearInterval(reading);
    await one.stop();
  });

  test('nine terminals are too many, and a number is used once', async () => {
    const one = start();
    for (let id = 1; id <= 9; id += 1) await one.send({ ...opened, id });
    await one.send(opened);
    assert.deepEqual(
      one.featureContext
        .messages('terminal')
        .map((message) => message.do === 'closed' && [message.id, message.message]),
      [
        [9, 'At most 8 terminals can be open at once.'],
        [1, 'A terminal with this number already exists.'],
      ],
    );
    await one.stop();
  });

  test('a malformed request or chunk is not decoded, and the message of a device is not taken from an operator', () => {
    const one = start();

    assert.equal(decodePayload('terminal', Buffer.from('{"do":"open","id":1}')), undefined);
    assert.equal(decodePayload('terminal_bytes', Buffer.from('x')), undefined);
    void one.part.handlers.terminal!({ do: 'closed', id: 1, message: '' });
    assert.deepEqual(one.featureContext.ended, [{ message: 'malformed terminal', back: false }]);
  });
});
