/** A window of its own for a part of the console, such as a panel. Only elements move there: the session stays with the page. */
import { addWindow, removeWindow } from '../../ui/active-document.ts';

export interface PanelWindow {
  /** Where the elements go. */
  container: HTMLElement;
  focus(): void;
  close(): void;
}

export interface PanelWindowOptions {
  title: string;
  width: number;
  height: number;
  /** Called before the elements in the window are lost, however it is closed. */
  onClose(): void;
}

/** Returns undefined if the browser does not allow the window. */
export function openPanelWindow({
  title,
  width,
  height,
  onClose,
}: PanelWindowOptions): PanelWindow | undefined {
  const own = window.open('', '_blank', `popup,width=${Math.round(width)},height=${Math.round(height)}`);
  if (!own) return undefined;
  copyHead(own.document, title);
  addWindow(own);
  const runPendingFrames = trackFrames(own);
  const closeWithPage = (): void => own.close();
  addEventListener('pagehide', closeWithPage);
  // A reload of the window empties it as closing does.
  own.addEventListener('pagehide', () => {
    removeEventListener('pagehide', closeWithPage);
    removeWindow(own);
    onClose();
    runPendingFrames();
    own.close();
  });
  return { container: own.document.body, focus: () => own.focus(), close: () => own.close() };
}

/** The Content-Security-Policy of the page applies in the window too, so only its own style sheets can be used. */
function copyHead(to: Document, title: string): void {
  to.title = title;
  to.documentElement.lang = document.documentElement.lang;
  to.body.className = 'panel-window';
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    const copy = to.createElement('link');
    copy.rel = 'stylesheet';
    copy.href = link.href;
    to.head.append(copy);
  }
  const meta = to.createElement('meta');
  [meta.name, meta.content] = ['color-scheme', 'light dark'];
  to.head.append(meta);
}

/**
 * Returns a function that runs the animation frames which the window has not reached: code that waits for one would
 * wait for ever once the window is closed.
 */
function trackFrames(own: Window): () => void {
  const pending = new Map<number, FrameRequestCallback>();
  const [request, cancel] = [own.requestAnimationFrame.bind(own), own.cancelAnimationFrame.bind(own)];
  own.requestAnimationFrame = (callback) => {
    const id = request((time) => {
      pending.delete(id);
      callback(time);
    });
    pending.set(id, callback);
    return id;
  };
  own.cancelAnimationFrame = (id) => {
    pending.delete(id);
    cancel(id);
  };
  return () => {
    const callbacks = [...pending.values()];
    pending.clear();
    for (const callback of callbacks) callback(performance.now());
  };
}
