/** Reads values of a desktop that a helper serves. They are bounded, because its process may belong to the signed-in person and is not trusted. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { CursorShape, Layout, Monitor, Pixels, ScreenSize } from '../../desktop.ts';
import { flagIn, integerIn, listIn, recordIn, refuseValue, textIn } from '../plain-values.ts';

const maxCoordinate = 16_384;
const [maxMonitors, maxSizes, maxBoxes] = [32, 128, 1_024];
const maxCursorSide = 512;
const maxNameLength = 200;

function sizeIn(value: unknown): ScreenSize {
  const { width, height } = recordIn(value);
  return { width: integerIn(width, 1, maxCoordinate), height: integerIn(height, 1, maxCoordinate) };
}

function boxIn(value: unknown): Box {
  const { x, y } = recordIn(value);
  return { x: integerIn(x, 0, maxCoordinate), y: integerIn(y, 0, maxCoordinate), ...sizeIn(value) };
}

export const boxesIn = (value: unknown): Box[] => listIn(value, maxBoxes, boxIn);

function monitorIn(value: unknown): Monitor {
  const { name, primary } = recordIn(value);
  return { ...boxIn(value), name: textIn(name, maxNameLength), primary: flagIn(primary) };
}

export function layoutIn(value: unknown): Layout {
  const { monitors, sizes } = recordIn(value);
  return {
    ...sizeIn(value),
    monitors: listIn(monitors, maxMonitors, monitorIn),
    sizes: listIn(sizes, maxSizes, sizeIn),
  };
}

/** The pixels must lie within the shared memory. */
export const pixelsIn = (value: unknown, words: Uint32Array): Pixels[] =>
  listIn(value, maxBoxes, (item) => {
    const { box: place, offset: start, stride: distance } = recordIn(item);
    const box = boxIn(place);
    const offset = integerIn(start, 0, words.length);
    const stride = integerIn(distance, box.width, words.length);
    if (offset + (box.height - 1) * stride + box.width > words.length) refuseValue();
    return { box, words, offset, stride };
  });

export function cursorIn(value: unknown): { x: number; y: number; shape?: CursorShape } {
  const { x, y, shape } = recordIn(value);
  const at = {
    x: integerIn(x, -maxCoordinate, maxCoordinate),
    y: integerIn(y, -maxCoordinate, maxCoordinate),
  };
  return shape === undefined ? at : { ...at, shape: shapeIn(recordIn(shape)) };
}

function shapeIn({
  width: columns,
  height: rows,
  hotX,
  hotY,
  rgba: encoded,
}: Record<string, unknown>): CursorShape {
  const [width, height] = [integerIn(columns, 0, maxCursorSide), integerIn(rows, 0, maxCursorSide)];
  const rgba = Buffer.from(textIn(encoded, 2 * maxCursorSide ** 2 * 4), 'base64');
  if (rgba.length !== width * height * 4) refuseValue();
  return {
    width,
    height,
    hotX: integerIn(hotX, 0, maxCursorSide),
    hotY: integerIn(hotY, 0, maxCursorSide),
    rgba,
  };
}
