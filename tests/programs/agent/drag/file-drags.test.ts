/** Files that an operator drags out of the picture of a real X11 display, from a program made with GTK. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultPolicy } from '@drawbridge/contract/policy';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { internAtoms } from '@drawbridge/agent/platform/linux/x11/intern-atoms';
import { runOnDisplay } from '../../../kit/display/desktop-programs.ts';
import { dragWhileBusy } from '../../../kit/display/drag/busy-drag.ts';
import { startDragSource } from '../../../kit/display/drag/drag-source.ts';
import { startDisplay, type TestDisplay } from '../../../kit/display/display.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openDragDesk, twoFilesDropped, type DragDesk, type DragDeskOptions } from './drag-desk.ts';

const skip = skipWithout('Xvfb') || skipWithout('GTK 3') || skipWithout('programs of a desktop');
const edge = { x: 799, y: 300 };

interface Desk extends DragDesk {
  display: TestDisplay;
  /** Takes the selection of drags as programs made with Qt do, which list the types on their window. */
  ownDrag(): Promise<void>;
  /** Whether the window that takes drops is on the display. */
  hasTarget(): Promise<boolean>;
}

async function openDesk(options: Omit<DragDeskOptions, 'start' | 'settled'> = {}): Promise<Desk> {
  await using all = new AsyncDisposableStack();
  const display = all.use(await startDisplay(800, 600));
  const desk = all.use(
    await openDragDesk({
      ...options,
      start: (what, content) => startDragSource(display.name, what, content),
      settled: () => display.done(),
    }),
  );
  const owned = all.move();
  return {
    ...desk,
    display,
    ownDrag: () => ownDrag(display),
    hasTarget: async () => (await findTarget()) !== undefined,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The window that takes drops; undefined if it is not on the display. */
const findTarget = (): Promise<number | undefined> =>
  runOnDisplay('xdotool', 'search', '--name', '^Drawbridge drop target$').then(
    (found) => Number.parseInt(found, 10) || undefined,
    () => undefined,
  );

async function ownDrag({ connection, done }: TestDisplay): Promise<void> {
  const { client, root } = connection;
  const names = ['XdndSelection', 'XdndTypeList', 'text/uri-list'] as const;
  const atoms = await internAtoms(connection, names);
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, {});
  client.ChangeProperty(0, window, atoms.XdndTypeList, client.atoms['ATOM']!, 32, [atoms['text/uri-list']]);
  client.SetSelectionOwner(window, atoms.XdndSelection, 0);
  await done();
  // Once the agent has its next answer of the display, it has noticed this too.
  const desktop = await openDesktop();
  await desktop.layout();
  desktop.close();
}

describe('files dragged out of the picture', { skip }, () => {
  test('are counted while they are dragged, and offered when they are dropped', async () => {
    await using desk = await openDesk();
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.dropBelow(edge);
    await desk.until('dropped');

    assert.deepEqual(desk.said(), twoFilesDropped(desk));
    await desk.source.until(/end/);
    assert.equal(await desk.hasTarget(), false);
    assert.equal(desk.source.output(), 'enter\nbegin\nend\n', 'copied, not moved');
  });

  test('stay in the drag when the pointer returns, and can leave again', async () => {
    await using desk = await openDesk();
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.say('inside');
    await desk.pointer({ x: 600, y: 500 }, 1);
    const wasThere = await desk.hasTarget();
    await desk.pointer(edge, 1);
    await desk.say('outside');
    await eventually(desk.said, ({ length }) => length === 2);
    await desk.pointer(edge, 0);
    await desk.until('dropped');

    assert.equal(wasThere, false);
    assert.deepEqual(
      desk.said().map(({ is }) => is),
      ['ready', 'ready', 'dropped'],
    );
  });

  test('are folders too, and what cannot be read is left out', async () => {
    const names = ['sub/', 'missing.txt', 'ä.bin'];
    await using desk = await openDesk({
      dragged: (folder) => ({
        what: 'files',
        content: [
          'https://example.com/a',
          ...names.map((name) => `file://localhost${folder}/${encodeURI(name)}`),
        ],
      }),
    });
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.pointer(edge, 0);
    await desk.until('dropped');

    const { folder } = desk;
    assert.deepEqual(desk.said(), [
      { is: 'ready', count: 3 },
      {
        is: 'dropped',
        files: [
          { folder, name: 'sub', kind: 'folder', size: 0 },
          { folder, name: 'ä.bin', kind: 'file', size: 70_000 },
        ],
      },
    ]);
  });

  const unable = {
    'more than 100': {
      content: Array.from({ length: 101 }, (_, index) => `file:///tmp/${index}`),
      message: 'More than 100 files at once cannot be dragged out. Use the files panel.',
    },
    'files of another machine': {
      content: ['file://elsewhere.example.com/tmp/a', 'sftp://localhost/tmp/b'],
      message: 'Operators cannot reach these files.',
    },
  };
  for (const [name, { content, message }] of Object.entries(unable))
    test(`are refused if they are ${name}`, async () => {
      await using desk = await openDesk({ dragged: () => ({ what: 'files', content }) });
      await desk.dragOut(edge);
      await desk.until('unable');
      await desk.pointer(edge, 0);
      await desk.source.until(/failed/);

      assert.deepEqual(desk.said(), [{ is: 'unable', message }]);
    });

  test('are not taken if the policy forbids it, and the drag goes on', async () => {
    await using desk = await openDesk();
    Object.assign(desk.context, { policy: { ...defaultPolicy, files: 'to_device' } });
    await desk.dragOut(edge);
    await desk.until('unable');
    const hasTarget = await desk.hasTarget();
    await desk.pointer(edge, 0);
    await desk.source.until(/failed/);

    assert.equal(hasTarget, false);
    assert.deepEqual(desk.said(), [
      { is: 'unable', message: 'The policy of this device does not allow downloads.' },
    ]);
  });

  test('are noticed if the program lists the types of its drag on its window', async () => {
    await using desk = await openDesk();
    await desk.pointer({ x: 20, y: 500 }, 1);
    await desk.ownDrag();
    await desk.pointer(edge, 1);
    await desk.say('outside');

    assert.equal(await desk.hasTarget(), true);
  });

  test('are counted although their program is busy, and answers late', async () => {
    await using desk = await openDesk();
    await desk.pointer({ x: 20, y: 500 }, 1);
    await desk.pointer(edge, 1);
    await desk.say('outside');
    const dragOver = await dragWhileBusy(desk.display.connection, `file://${desk.folder}/a%20b.txt`);
    const target = await eventually(findTarget, (found) => found !== undefined);
    await dragOver(target!);
    await desk.until('ready');

    assert.deepEqual(desk.said(), [{ is: 'ready', count: 1 }]);
  });
});

describe('a drag that is none of files', { skip }, () => {
  test('is not disturbed if it is a text', async () => {
    await using desk = await openDesk({ dragged: () => ({ what: 'text', content: ['file:///etc/passwd'] }) });
    await desk.dragOut(edge);
    const hasTarget = await desk.hasTarget();
    await desk.pointer(edge, 0);
    await desk.source.until(/failed/);

    assert.equal(hasTarget, false);
    assert.deepEqual(desk.said(), []);
  });

  test('is not disturbed if an earlier drag was one of files', async () => {
    await using desk = await openDesk();
    await desk.beginDrag();
    await desk.pointer({ x: 700, y: 500 }, 1);
    await desk.pointer({ x: 700, y: 500 }, 0);
    await desk.source.until(/end/);
    await desk.ownDrag();
    // A selection in a text, or a window that is moved.
    await desk.pointer({ x: 20, y: 500 }, 1);
    await desk.pointer(edge, 1);
    await desk.say('outside');

    assert.equal(await desk.hasTarget(), false);
    assert.deepEqual(desk.said(), []);
    await desk.pointer(edge, 0);
  });

  test('is not disturbed if another person drags', async () => {
    await using desk = await openDesk();
    await runOnDisplay(
      'xdotool',
      'mousemove',
      `${desk.source.at.x}`,
      `${desk.source.at.y}`,
      'mousedown',
      '1',
    );
    for (const x of [20, 40, 60])
      await runOnDisplay('xdotool', 'mousemove', `${desk.source.at.x + x}`, '250');
    await desk.source.until(/begin/);
    await desk.say('outside');

    assert.equal(await desk.hasTarget(), false);
    assert.deepEqual(desk.said(), []);
    await runOnDisplay('xdotool', 'mouseup', '1');
  });
});
