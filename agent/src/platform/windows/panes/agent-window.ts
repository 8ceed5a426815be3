/** A window of the agent that restores itself: it stays above all others at its position, whatever other programs do to it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { PaneShape } from '../../panes/pane.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { createWindow } from '../create-window.ts';
import { handleMessages, type MessageHandler } from '../message-loop.ts';

export interface AgentWindow {
  /** Changes after another program has destroyed the window. */
  readonly handle: Handle;
  place(box: Box): void;
  /** How long the whole window has been visible; 0 while something covers it. */
  visibleMs(): number;
  /** Whether the pointer is over the window, and no other window is between. */
  isUnderPointer(): boolean;
  close(): void;
}

const styles = { popup: 0x8000_0000, visible: 0x1000_0000, notify: 0x100 } as const;
const extendedStyles = { topmost: 0x8, toolWindow: 0x80, noActivate: 0x0800_0000 } as const;
const topmost = -1;
const positionFlags = { noActivate: 0x10, showWindow: 0x40 } as const;
const checkEveryMs = 250;

/** The number of open questions. */
let questions = 0;

interface State {
  api: WindowsApi;
  shape: PaneShape;
  /** Where the window belongs. */
  box: Box;
  handle: Handle;
  stopHandling: () => void;
  /** Infinity while something covers the window. */
  visibleSince: number;
}

export function showAgentWindow(api: WindowsApi, shape: PaneShape, onMessage: MessageHandler): AgentWindow {
  const { x, y, width, height } = shape;
  const state: State = {
    api,
    shape,
    box: { x, y, width, height },
    handle: 0,
    stopHandling: () => {},
    visibleSince: performance.now(),
  };
  create(state, onMessage);
  if (shape.isQuestion) questions += 1;
  const timer = setInterval(() => check(state, onMessage), checkEveryMs);
  return {
    get handle() {
      return state.handle;
    },
    place(box) {
      state.box = box;
      raise(state);
    },
    visibleMs: () => Math.max(0, performance.now() - state.visibleSince),
    isUnderPointer: () => isWindowAt(state, pointerPosition(api)),
    close() {
      clearInterval(timer);
      if (shape.isQuestion) questions -= 1;
      state.stopHandling();
      api.DestroyWindow(state.handle);
    },
  };
}

function create(state: State, onMessage: MessageHandler): void {
  const { api, shape, box } = state;
  const extended =
    extendedStyles.topmost | extendedStyles.toolWindow | (shape.hasInput ? 0 : extendedStyles.noActivate);
  const style = styles.popup | styles.visible | styles.notify;
  state.handle = createWindow(api, { title: shape.title, style, extendedStyle: extended, box });
  state.stopHandling = handleMessages(api, state.handle, onMessage);
}

function raise({ api, handle, box: { x, y, width, height } }: State): void {
  const flags = positionFlags.noActivate | positionFlags.showWindow;
  api.SetWindowPos(handle, topmost, x, y, width, height, flags);
}

function check(state: State, onMessage: MessageHandler): void {
  const { api, shape } = state;
  if (!api.IsWindow(state.handle)) {
    state.stopHandling();
    create(state, onMessage);
  }
  const isVisible = cornersOf(state.box).every((point) => isWindowAt(state, point));
  if (!isVisible) state.visibleSince = Infinity;
  else if (state.visibleSince === Infinity) state.visibleSince = performance.now();
  if (!isVisible && (shape.isQuestion || questions === 0)) raise(state);
}

type Point = readonly [x: number, y: number];

function cornersOf({ x, y, width, height }: Box): Point[] {
  const [right, bottom] = [x + width - 1, y + height - 1];
  return [
    [x, y],
    [right, y],
    [x, bottom],
    [right, bottom],
    [x + (width >> 1), y + (height >> 1)],
  ];
}

/** A point is passed as one number, with y in the upper half. */
const isWindowAt = ({ api, handle }: State, [x, y]: Point): boolean =>
  BigInt(api.WindowFromPoint((BigInt(y) << 32n) | BigInt.asUintN(32, BigInt(x)))) === BigInt(handle);

function pointerPosition(api: WindowsApi): Point {
  const bytes = Buffer.alloc(8);
  api.GetCursorPos(bytes);
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)];
}
