/** Mouse and keyboard input on a wlroots compositor through virtual devices. */
import type { DesktopInput } from '../../../desktop.ts';
import { newObject, type WaylandConnection } from '../wire/connection.ts';
import { toFixed } from '../wire/wire-format.ts';
import type { PointerStirrer } from '../compositor/drag/uri-drags.ts';
import type { CompositorContext } from '../compositor/context.ts';
import type { PlacedOutput } from '../compositor/outputs.ts';
import { kinds, pointer } from '../compositor/protocol.ts';
import { openVirtualKeyboard } from './virtual-keyboard.ts';

/** The kernel's numbers for our bits: left, middle, right, back, forward. */
const buttonsOf = [0x110, 0x112, 0x111, 0x113, 0x114];
const axes = { vertical: 0, horizontal: 1 } as const;
const sources = { wheel: 0, continuous: 2 } as const;
/** Our distance of one notch, and that of the protocol. */
const [notch, notchDistance] = [120, 15];
/** Positions are sent in this fraction of the compositor's units. */
const precision = 256;
const tinyStep = precision / 4;

const now = (): number => Math.round(performance.now());

export async function openInput(context: CompositorContext): Promise<DesktopInput> {
  const { connection, outputs } = context;
  const device = openPointer(context);
  const keyboard = await openVirtualKeyboard(context);
  let [held, isClosed] = [0, false];
  const send = (opcode: number, ...values: number[]): void => connection.request(device, opcode, values);
  const setButtons = (buttons: number): void => {
    for (const [bit, button] of buttonsOf.entries())
      if (((buttons ^ held) >> bit) & 1) send(pointer.button, now(), button, (buttons >> bit) & 1);
    held = buttons;
    send(pointer.frame);
  };
  const releaseAll = (): void => {
    keyboard.releaseAll();
    if (held !== 0) setButtons(0);
  };
  const moveTo = createMover(send);
  return {
    pointer(x, y, buttons) {
      moveTo(positionIn(outputs.list(), x, y));
      setButtons(buttons);
    },
    wheel(deltaX, deltaY) {
      turn(connection, device, axes.horizontal, deltaX);
      turn(connection, device, axes.vertical, deltaY);
    },
    key: keyboard.key,
    text: keyboard.text,
    // There is no pending input to drop, because everything is sent at once.
    reset: releaseAll,
    close() {
      if (isClosed) return;
      isClosed = true;
      releaseAll();
      keyboard.close();
      connection.destroy(device, pointer.destroy);
    },
  };
}

/** A pointer that is only moved beside a point of the picture and back. */
export function openStirrer(context: CompositorContext): PointerStirrer {
  const { connection, outputs } = context;
  const device = openPointer(context);
  const send = (opcode: number, ...values: number[]): void => connection.request(device, opcode, values);
  return {
    stir({ x, y }) {
      createMover(send)(positionIn(outputs.list(), x, y));
      send(pointer.frame);
    },
    close: () => connection.destroy(device, pointer.destroy),
  };
}

const openPointer = ({ connection, bind, seat }: CompositorContext): number =>
  connection.create(bind(kinds.pointers, 1)!, pointer.create, [seat, newObject]);

interface PointerPosition {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Moves the pointer. When it jumps into another window, XWayland adds the distance to the new position, until the pointer moves again.
 * So each move has two steps, of which the second is tiny.
 */
function createMover(
  send: (opcode: number, ...values: number[]) => void,
): (at: PointerPosition | undefined) => void {
  let last: PointerPosition | undefined;
  return (at) => {
    if (!at) return;
    const { x, y, width, height } = at;
    const beside = x < tinyStep ? x + tinyStep : x - tinyStep;
    if (x !== last?.x || y !== last.y) {
      send(pointer.motionAbsolute, now(), beside, y, width, height);
      send(pointer.frame);
    }
    send(pointer.motionAbsolute, now(), x, y, width, height);
    last = at;
  };
}

/** Whole notches are those of a wheel, and other distances those of a touchpad. */
function turn({ request }: WaylandConnection, device: number, axis: number, delta: number): void {
  if (delta === 0) return;
  const distance = toFixed((delta / notch) * notchDistance);
  const isWhole = delta % notch === 0;
  request(device, pointer.axisSource, [isWhole ? sources.wheel : sources.continuous]);
  if (isWhole) request(device, pointer.axisDiscrete, [now(), axis, distance, delta / notch]);
  else request(device, pointer.axis, [now(), axis, distance]);
  request(device, pointer.frame);
}

/** Converts a position in the picture into one on the area that all monitors span. */
export function positionIn(
  outputs: readonly PlacedOutput[],
  x: number,
  y: number,
): PointerPosition | undefined {
  const isOn = ({ box }: PlacedOutput): boolean =>
    x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
  const on = outputs.find(isOn) ?? outputs[0];
  if (!on) return undefined;
  const logical = outputs.map((each) => each.logical);
  const [left, top] = [Math.min(...logical.map((box) => box.x)), Math.min(...logical.map((box) => box.y))];
  const right = Math.max(...logical.map((box) => box.x + box.width));
  const bottom = Math.max(...logical.map((box) => box.y + box.height));
  const within = (value: number, size: number): number => Math.min(Math.max(value, 0), size - 1);
  const localX = (within(x - on.box.x, on.box.width) * on.logical.width) / on.box.width;
  const localY = (within(y - on.box.y, on.box.height) * on.logical.height) / on.box.height;
  return {
    x: Math.round((on.logical.x - left + localX) * precision),
    y: Math.round((on.logical.y - top + localY) * precision),
    width: (right - left) * precision,
    height: (bottom - top) * precision,
  };
}
