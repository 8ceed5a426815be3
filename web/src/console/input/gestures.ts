/** What fingers mean: a tap is a click, a long press the other button, two fingers scroll or bring closer. */
import type { ScreenPoint } from './geometry.ts';

export interface Finger extends ScreenPoint {
  id: number;
}

export interface Gestures {
  click(point: ScreenPoint): void;
  rightClick(point: ScreenPoint): void;
  /** The left button is down while a finger moves. */
  drag(point: ScreenPoint, isDown: boolean): void;
  scroll(point: ScreenPoint, x: number, y: number): void;
  /** Closer by this factor around the spot, and moved along. */
  zoom(factor: number, point: ScreenPoint, moved: ScreenPoint): void;
}

export interface Fingers {
  down(finger: Finger): void;
  move(finger: Finger): void;
  up(finger: Finger): void;
  /** The system took the fingers away. */
  cancel(): void;
}

const longPressMs = 500;
/** A finger is never quite still. */
const trembles = 10;
/** Fingers that come together or part by this much mean to zoom. */
const pinches = 24;

const middle = ([a, b]: readonly [Finger, Finger]): ScreenPoint => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
});
const apart = ([a, b]: readonly [Finger, Finger]): number => Math.hypot(a.x - b.x, a.y - b.y);
const distance = (a: ScreenPoint, b: ScreenPoint): number => Math.hypot(a.x - b.x, a.y - b.y);

/** What one finger does, or two; a third ends it, and so does lifting one of them. */
interface Deed {
  move(fingers: readonly Finger[]): void;
  /** A finger was lifted there, or another came. */
  end(last: Finger, isLifted: boolean): void;
}

/** `after` calls later; its answer stops that. */
export function createFingers(mean: Gestures, after: (ms: number, call: () => void) => () => void): Fingers {
  const fingers = new Map<number, Finger>();
  let deed: Deed | undefined;
  return {
    down(finger) {
      fingers.set(finger.id, finger);
      deed?.end(finger, false);
      const [first, second, third] = [...fingers.values()];
      if (third) deed = undefined;
      else deed = second ? twoFingers([first!, second], mean) : oneFinger(finger, mean, after);
    },
    move(finger) {
      if (!fingers.has(finger.id)) return;
      fingers.set(finger.id, finger);
      deed?.move([...fingers.values()]);
    },
    up(finger) {
      if (!fingers.delete(finger.id)) return;
      deed?.end(finger, true);
      deed = undefined;
    },
    cancel() {
      const [finger] = fingers.values();
      if (finger) deed?.end(finger, false);
      deed = undefined;
      fingers.clear();
    },
  };
}

function oneFinger(start: Finger, mean: Gestures, after: (ms: number, call: () => void) => () => void): Deed {
  let doing: 'touching' | 'pressed' | 'dragging' = 'touching';
  const stop = after(longPressMs, () => {
    doing = 'pressed';
    mean.rightClick(start);
  });
  return {
    move([finger]) {
      if (doing === 'touching' && distance(finger!, start) > trembles) {
        stop();
        doing = 'dragging';
        mean.drag(start, true);
      }
      if (doing === 'dragging') mean.drag(finger!, true);
    },
    end(last, isLifted) {
      stop();
      if (doing === 'touching' && isLifted) mean.click(start);
      if (doing === 'dragging') mean.drag(last, false);
    },
  };
}

function twoFingers(pair: readonly [Finger, Finger], mean: Gestures): Deed {
  let doing: 'resting' | 'scrolling' | 'zooming' = 'resting';
  const began = { point: middle(pair), apart: apart(pair) };
  let last = began;
  return {
    move(fingers) {
      const both = fingers as readonly [Finger, Finger];
      const now = { point: middle(both), apart: apart(both) };
      if (doing === 'resting' && Math.abs(now.apart - began.apart) > pinches) doing = 'zooming';
      else if (doing === 'resting' && distance(now.point, began.point) > trembles) doing = 'scrolling';
      const moved = { x: last.point.x - now.point.x, y: last.point.y - now.point.y };
      if (doing === 'zooming') mean.zoom(now.apart / last.apart, now.point, moved);
      if (doing === 'scrolling') mean.scroll(now.point, moved.x, moved.y);
      last = now;
    },
    end(_finger, isLifted) {
      if (doing === 'resting' && isLifted) mean.rightClick(began.point);
    },
  };
}
