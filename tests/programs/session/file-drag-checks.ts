/** The kind of frame about files that are dragged out of the picture, used between a page and a device. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilDone, type ConnectedPair } from './connected-pair.ts';

export const fileDragChecks = {
  async file_drag(pair: ConnectedPair) {
    const { session, received, device } = pair;
    writeFileSync(join(device.folder, 'dragged.txt'), 'some text');
    session.send('pointer', { x: 21, y: 22, buttons: 1 });
    await untilDone(pair, 'pointer 21 22 1');
    session.send('file_drag', { is: 'outside' });
    await untilDone(pair, 'drop target 21 22');
    const { drag } = device.events;
    assert.equal(drag.onFiles(['/dragged.txt', '/missing.txt']), true);
    drag.onAccepted();
    drag.onDrop();
    await received.until('file_drag', ({ is }) => is === 'dropped');

    assert.deepEqual(received.of('file_drag'), [
      { is: 'ready', count: 2 },
      { is: 'dropped', files: [{ folder: '/', name: 'dragged.txt', kind: 'file', size: 9 }] },
    ]);
  },
};
