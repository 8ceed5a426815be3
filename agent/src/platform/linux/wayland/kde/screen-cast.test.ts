/** The messages of a stream of KWin, over a connection that the test plays, because KWin shares its screen only with a graphics card. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventHandler, WaylandConnection } from '../wire/connection.ts';
import { createWireReader, encodeRequest, type WireValue } from '../wire/wire-format.ts';
import { openMonitorStream } from './screen-cast.ts';

const [manager, output, stream] = [5, 7, 9];
const [closed, created, failed] = [0, 1, 2];

/** Opens a stream and collects what is requested, and the sentences with which KWin ends it. */
function openStream() {
  const requests: unknown[] = [];
  const ends: string[] = [];
  let handle: EventHandler = () => {};
  const connection = {
    create(object: number, opcode: number, values: readonly WireValue[], handler: EventHandler) {
      requests.push([object, opcode, values]);
      handle = handler;
      return stream;
    },
    destroy: (object: number, opcode: number) => requests.push([object, opcode]),
  };
  const opening = openMonitorStream(connection as unknown as WaylandConnection, manager, output, (why) =>
    ends.push(why),
  );
  const send = (opcode: number, ...values: WireValue[]): void =>
    handle(
      opcode,
      createWireReader(encodeRequest(stream, opcode, values).subarray(8), () => -1),
    );
  return { requests, ends, opening, send };
}

test('a monitor is asked for with the pointer beside the picture, and its stream is closed', async () => {
  const { requests, ends, opening, send } = openStream();

  send(created, 42);
  const { node, close } = await opening;
  close();

  assert.equal(node, 42);
  assert.deepEqual(requests, [
    [manager, 0, [-1, output, 4]],
    [stream, 0],
  ]);
  assert.deepEqual(ends, []);
});

test('what KWin refuses is told with its reason and what to do', async () => {
  const { requests, opening, send } = openStream();

  send(failed, 'OpenGL compositing is required for screencasting');

  await assert.rejects(opening, /KWin says: “OpenGL compositing is required for screencasting” .* driver/);
  assert.deepEqual(requests.at(-1), [stream, 0]);
});

test('a stream that KWin ends later is told once', async () => {
  const { ends, opening, send } = openStream();

  send(created, 42);
  await opening;
  send(closed);

  assert.deepEqual(ends, ['The desktop of the device no longer sends its picture.']);
});
