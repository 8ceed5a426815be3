/** How a Wayland desktop ends: its captures fail with the reason, and everyone who uses it is told once. */
import type { PipeWireCapture } from './pipewire/capture.ts';
import type { WaylandDesktop } from './wayland-path.ts';

export interface DesktopEnd extends Pick<WaylandDesktop, 'onClose' | 'whyClosed' | 'close'> {
  /** Lets the capture fail when the desktop is lost. `onClose` is called when the capture is closed. */
  keep(capture: PipeWireCapture, onClose?: () => void): PipeWireCapture;
  /** The desktop has ended by itself. */
  lose(why: string): void;
}

/** `release` closes the connections of the desktop. */
export function createDesktopEnd(release: () => void): DesktopEnd {
  const captures = new Set<PipeWireCapture>();
  const listeners: ((why: string) => void)[] = [];
  let whyClosed: string | undefined;
  const close = (): void => {
    whyClosed ??= 'The desktop is no longer used.';
    release();
  };
  return {
    onClose: (listener) => void listeners.push(listener),
    whyClosed: () => whyClosed,
    close,
    keep(capture, onClose) {
      captures.add(capture);
      const closeCapture = (): void => {
        captures.delete(capture);
        capture.close();
        onClose?.();
      };
      return { ...capture, close: closeCapture };
    },
    lose(why) {
      if (whyClosed !== undefined) return;
      whyClosed = why;
      for (const capture of captures) capture.fail(why);
      close();
      for (const listener of listeners) listener(why);
    },
  };
}
