/** Recognizes touch gestures: a tap is a click, a long press a right click, and two fingers scroll or zoom. */
import type { ScreenPoint } from './geometry.ts';

export interface Finger extends ScreenPoint {
  id: number;
}

export interface GestureListener {
  click(point: ScreenPoint): void;
  rightClick(point: ScreenPoint): void;
  /** The left button is held while a finger moves. */
  drag(point: ScreenPoint, isDown: boolean): void;
  scroll(point: ScreenPoint, x: number, y: number): void;
  /** Zooms by this factor around the point and pans by `moved`. */
  zoom(factor: number, point: ScreenPoint, moved: ScreenPoint): void;
}

export interface GestureRecognizer {
  down(finger: Finger): void;
  move(finger: Finger): void;
  up(finger: Finger): void;
  /** The system cancelled the touch. */
  cancel(): void;
}

const longPressMs = 500;
/** A resting finger moves by up to this many pixels. */
const moveThreshold = 10;
/** A change of the distance between two fingers by more than this many pixels is a zoom. */
const pinchThreshold = 24;

const midpoint = ([a, b]: readonly [Finger, Finger]): ScreenPoint => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
});
const spread = ([a, b]: readonly [Finger, Finger]): number => Math.hypot(a.x - b.x, a.y - b.y);
const distance = (a: ScreenPoint, b: ScreenPoint): number => Math.hypot(a.x - b.x, a.y - b.y);

/** A gesture of one or two fingers. It ends when a finger is lifted or another one is added. */
interface Gesture {
  move(fingers: readonly Finger[]): void;
  /** `isLifted` is false when another finger was added or the touch was cancelled. */
  end(last: Finger, isLifted: boolean): void;
}

/** `after` starts a timer and returns a function that cancels it. */
export function createGestureRecognizer(
  listener: GestureListener,
  after: (ms: number, call: () => void) => () => void,
): GestureRecognizer {
  const fingers = new Map<number, Finger>();
  let gesture: Gesture | undefined;
  return {
    down(finger) {
      fingers.set(finger.id, finger);
      gesture?.end(finger, false);
      const [first, second, third] = [...fingers.values()];
      if (third) gesture = undefined;
      else
        gesture = second
          ? startTwoFingerGesture([first!, second], listener)
          : startOneFingerGesture(finger, listener, after);
    },
    move(finger) {
      if (!fingers.has(finger.id)) return;
      fingers.set(finger.id, finger);
      gesture?.move([...fingers.values()]);
    },
    up(finger) {
      if (!fingers.delete(finger.id)) return;
      gesture?.end(finger, true);
      gesture = undefined;
    },
    cancel() {
      const [finger] = fingers.values();
      if (finger) gesture?.end(finger, false);
      gesture = undefined;
      fingers.clear();
    },
  };
}

function startOneFingerGesture(
  start: Finger,
  listener: GestureListener,
  after: (ms: number, call: () => void) => () => void,
): Gesture {
  let phase: 'touching' | 'pressed' | 'dragging' = 'touching';
  const stop = after(longPressMs, () => {
    phase = 'pressed';
    listener.rightClick(start);
  });
  return {
    move([finger]) {
      if (phase === 'touching' && distance(finger!, start) > moveThreshold) {
        stop();
        phase = 'dragging';
        listener.drag(start, true);
      }
      if (phase === 'dragging') listener.drag(finger!, true);
    },
    end(last, isLifted) {
      stop();
      if (phase === 'touching' && isLifted) listener.click(start);
      if (phase === 'dragging') listener.drag(last, false);
    },
  };
}

function startTwoFingerGesture(pair: readonly [Finger, Finger], listener: GestureListener): Gesture {
  let phase: 'resting' | 'scrolling' | 'zooming' = 'resting';
  const began = { point: midpoint(pair), spread: spread(pair) };
  let last = began;
  return {
    move(fingers) {
      const both = fingers as readonly [Finger, Finger];
      const now = { point: midpoint(both), spread: spread(both) };
      if (phase === 'resting' && Math.abs(now.spread - began.spread) > pinchThreshold) phase = 'zooming';
      else if (phase === 'resting' && distance(now.point, began.point) > moveThreshold) phase = 'scrolling';
      const moved = { x: last.point.x - now.point.x, y: last.point.y - now.point.y };
      if (phase === 'zooming') listener.zoom(now.spread / last.spread, now.point, moved);
      if (phase === 'scrolling') listener.scroll(now.point, moved.x, moved.y);
      last = now;
    },
    end(_finger, isLifted) {
      if (phase === 'resting' && isLifted) listener.rightClick(began.point);
    },
  };
}
