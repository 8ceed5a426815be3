/** The size of the screen on Windows, under Wine on a display that changes its size: changed, refused, and restored. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runOnWindows, skipWithoutWindows } from '../../../kit/agent/windows-program.ts';
import { startXServer, type TestDisplay } from '../../../kit/display/display.ts';
import { eventually } from '../../../kit/eventually.ts';
import { findVncServer, skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithoutWindows() || skipWithout('Xtigervnc') || skipWithout('RandR in Wine');
const [full, smaller] = [
  { width: 1_280, height: 800 },
  { width: 800, height: 600 },
];
const red = 0xff_00_00;
const vncArgs = ['-SecurityTypes', 'None', '-rfbport', '-1', '-depth', '24'];

/** As the display itself reports it. */
async function sizeOf({ connection: { client, root, call } }: TestDisplay): Promise<number[]> {
  const { width, height } = await call<{ width: number; height: number }>((done) =>
    client.GetGeometry(root, done),
  );
  return [width, height];
}

/** Draws the corner of the smaller size, which changes of the size may clear, and returns the sizes that the display had. */
async function watchDisplay(display: TestDisplay, isOver: () => boolean): Promise<string[]> {
  const sizes: string[] = [];
  const watch = async (): Promise<boolean> => {
    display.paint({ x: smaller.width - 8, y: smaller.height - 8, width: 8, height: 8 }, red);
    const size = (await sizeOf(display)).join('×');
    if (size !== sizes.at(-1)) sizes.push(size);
    return isOver();
  };
  await eventually(watch, Boolean, Infinity);
  return sizes;
}

describe('the size of the screen on Windows', { skip }, () => {
  let results: Record<string, Record<string, unknown>> = {};
  let sizes: string[] = [];
  before(async () => {
    const args = [...vncArgs, '-geometry', `${full.width}x${full.height}`];
    await using display = await startXServer(findVncServer()!, args);
    let isOver = false;
    const watched = watchDisplay(display, () => isOver);
    const program = 'tests/programs/agent/wine/resize-program.ts';
    const output = await runOnWindows(program, display.name).finally(() => (isOver = true));
    sizes = await watched;
    results = JSON.parse(/^RESULTS (.*)$/m.exec(output)?.[1] ?? '{}') as typeof results;
  });

  const unchanged = {
    size: [full.width, full.height],
    monitor: [full.width, full.height],
    offersSmaller: true,
    isMarked: false,
  };
  const changed = {
    size: [smaller.width, smaller.height],
    monitor: [smaller.width, smaller.height],
    original: full,
    offersSmaller: true,
    isMarked: true,
  };

  test('is changed to one that the screen offers, and the former size is known and restored', () => {
    const { resize } = results;

    assert.deepEqual(resize!['before'], unchanged);
    assert.deepEqual(resize!['changed'], changed);
    assert.deepEqual(resize!['restored'], unchanged);
  });

  test('is the size of the picture and of the preview', () => {
    assert.deepEqual(results['resize']!['picture'], {
      corner: red,
      beside: 'The screen of the device has another size now.',
      preview: [320, 240],
    });
  });

  test('stays if the screen does not offer the one that is asked for', () => {
    const { refused, afterRefusal } = results['resize']!;

    assert.equal(refused, 'The screen of the device cannot be set to 801×601 pixels.');
    assert.deepEqual(afterRefusal, changed);
  });

  test('is changed on the display itself', () => {
    assert.deepEqual(sizes, ['1280×800', '800×600', '1280×800', '800×600', '1280×800']);
  });

  test('that an agent leaves when it is killed is replaced by the former one when the agent starts', () => {
    assert.deepEqual(results['recover'], {
      status: 1,
      left: [smaller.width, smaller.height],
      recovered: unchanged,
    });
  });
});
