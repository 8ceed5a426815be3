/** Files that an operator drags out of the picture of a real wlroots desktop of another user, from a program made with GTK. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultPolicy } from '@drawbridge/contract/policy';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { startDragSourceOnSway } from '../../../kit/display/drag/drag-source.ts';
import { startSway } from '../../../kit/display/sway.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openDragDesk, twoFilesDropped, type DragDesk, type DragDeskOptions } from './drag-desk.ts';

const skip = skipWithout('sway') || skipWithout('GTK 3');
const edge = { x: 799, y: 300 };
/** Files that are dragged are then refused with a sentence; nothing is said of anything else. */
const noDownloads = { policy: { ...defaultPolicy, files: 'to_device' } } as const;

interface Options extends Pick<DragDeskOptions, 'dragged'> {
  scale?: number;
}

async function openDesk({ scale = 1, ...options }: Options = {}): Promise<DragDesk> {
  await using all = new AsyncDisposableStack();
  const sway = all.use(await startSway(800, 600));
  sway.command('output', 'HEADLESS-1', 'scale', `${scale}`);
  const desk = all.use(
    await openDragDesk({
      ...options,
      start: (what, content) => startDragSourceOnSway(sway, what, content, scale),
      // An answer of the compositor comes after it has processed what came before.
      settled: async () => sway.command('nop'),
    }),
  );
  const owned = all.move();
  return { ...desk, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('files dragged out of the picture of sway', { skip }, () => {
  test('are counted while they are dragged, and offered when they are dropped', async () => {
    await using desk = await openDesk();
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.dropBelow(edge);
    await desk.until('dropped');

    assert.deepEqual(desk.said(), twoFilesDropped(desk));
    await desk.source.until(/end/);
    assert.equal(desk.source.output(), 'enter\nbegin\nend\n', 'copied, not moved');
  });

  test('leave a monitor with larger pixels too', async () => {
    await using desk = await openDesk({ scale: 2 });
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.pointer({ x: 799, y: 599 }, 1);
    await desk.pointer({ x: 799, y: 599 }, 0);
    await desk.until('dropped');
  });

  test('stay in the drag when the pointer returns, and can leave again', async () => {
    await using desk = await openDesk();
    await desk.dragOut(edge);
    await desk.until('ready');
    await desk.say('inside');
    await desk.pointer({ x: 600, y: 500 }, 1);
    await desk.pointer(edge, 1);
    await desk.say('outside');
    await eventually(desk.said, ({ length }) => length === 2);
    await desk.pointer(edge, 0);
    await desk.until('dropped');

    assert.deepEqual(
      desk.said().map(({ is }) => is),
      ['ready', 'ready', 'dropped'],
    );
  });

  test('are refused with a sentence if operators cannot reach them, and the drag fails', async () => {
    const content = ['file://elsewhere.example.com/tmp/a', 'sftp://localhost/tmp/b'];
    await using desk = await openDesk({ dragged: () => ({ what: 'files', content }) });
    await desk.dragOut(edge);
    await desk.until('unable');
    await desk.pointer(edge, 0);
    await desk.source.until(/failed/);

    assert.deepEqual(desk.said(), [{ is: 'unable', message: 'Operators cannot reach these files.' }]);
  });

  test('are not taken if the policy forbids it, and the drag goes on', async () => {
    await using desk = await openDesk();
    Object.assign(desk.context, noDownloads);
    await desk.dragOut(edge);
    await desk.until('unable');
    await desk.pointer(edge, 0);
    await desk.source.until(/failed/);

    assert.deepEqual(desk.said(), [
      { is: 'unable', message: 'The policy of this device does not allow downloads.' },
    ]);
  });
});

describe('what is no drag of files on sway', { skip }, () => {
  test('is not disturbed if a text is dragged', async () => {
    await using desk = await openDesk({ dragged: () => ({ what: 'text', content: ['file:///etc/passwd'] }) });
    Object.assign(desk.context, noDownloads);
    await desk.dragOut(edge);
    await desk.pointer(edge, 0);
    await desk.source.until(/failed/);

    assert.deepEqual(desk.said(), []);
  });

  test('is not disturbed if a button is held, and files can be dragged with the next press', async () => {
    await using desk = await openDesk();
    const inTerminal = { x: 100, y: 300 };
    Object.assign(desk.context, noDownloads);
    await desk.pointer(inTerminal, 1);
    await desk.pointer(edge, 1);
    await desk.say('outside');
    await desk.pointer(edge, 0);
    const said = desk.said();
    Object.assign(desk.context, { policy: defaultPolicy });
    await desk.dragOut(edge);
    await desk.until('ready');

    assert.deepEqual(said, []);
    await desk.pointer(edge, 0);
    await desk.until('dropped');
  });

  test('is not searched any longer when a session ends or the button is released, and others keep the desktop', async () => {
    await using sway = await startSway(800, 600);
    const start = () => startDragSourceOnSway(sway, 'text', ['a text']);
    const settled = async (): Promise<void> => sway.command('nop');
    await using desktop = new AsyncDisposableStack();
    const other = await openDesktop();
    desktop.defer(() => other.close());
    const ending = await openDragDesk({ start, settled });
    await ending.pointer({ x: 100, y: 300 }, 1);
    const searching = ending.say('outside');
    await ending[Symbol.asyncDispose]();
    await searching;
    await using next = await openDragDesk({ start, settled });
    await next.pointer({ x: 100, y: 300 }, 1);
    const released = next.say('outside');
    await next.pointer({ x: 100, y: 300 }, 0);
    await released;
    await next.pointer({ x: 100, y: 300 }, 1);
    await next.say('outside');
    await next.pointer({ x: 100, y: 300 }, 0);

    assert.equal((await other.layout()).width, 800);
  });
});
