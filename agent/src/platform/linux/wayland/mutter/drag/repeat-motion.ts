/** Moves the pointer of a GNOME desktop a little and back, again and again: Mutter tells windows of a drag only when it moves. */
import type { SessionBus } from '../../dbus/session-bus.ts';
import { startMutterSession } from '../mutter-session.ts';

const repeatEveryMs = 100;

/** `awayX`: the direction in which the pointer can move, 1 or -1. `before` is called before each time. The returned function ends it. */
export function repeatMotion(bus: SessionBus, awayX: 1 | -1, before: () => void): () => void {
  let isOver = false;
  let end = (): void => {};
  const start = async (): Promise<void> => {
    const { object, close } = await startMutterSession(bus, () => {});
    if (isOver) return close();
    const timer = setInterval(() => {
      before();
      for (const distance of [awayX, -awayX])
        void bus.call(object, 'NotifyPointerMotionRelative', 'dd', distance, 0).catch(() => {});
    }, repeatEveryMs);
    end = () => {
      clearInterval(timer);
      close();
    };
  };
  // While Mutter refuses remote control, nothing is dragged either.
  void start().catch(() => {});
  return () => {
    isOver = true;
    end();
    end = () => {};
  };
}
