/** Where the picture is: canvas, pointer of the device, and the invisible field that has the focus for it. */
import type { RemoteSession } from '../session/session.ts';
import { element } from '../ui/element.ts';
import { showCursor } from './cursor.ts';
import { toDevicePoint, type ScreenPoint } from './input/geometry.ts';
import type { RemoteInput } from './input/remote-input.ts';
import { listenToKeyboard } from './input/keyboard.ts';
import { listenToPointer } from './input/pointer.ts';
import { listenToTouch } from './input/touch.ts';
import type { ClipboardSync } from './clipboard-sync.ts';
import type { RemoteScreen } from './remote-screen.ts';
import { createViewport, type Viewport } from './viewport.ts';
import { workerClock } from '../ui/worker-clock.ts';
import { consoleTexts } from './texts.ts';

export interface ScreenView {
  element: HTMLElement;
  viewport: Viewport;
  focus(): void;
}

export interface ScreenViewOptions {
  session: RemoteSession;
  screen: RemoteScreen;
  input: RemoteInput;
  clipboardSync: ClipboardSync;
  /** The person leaves the picture without a mouse. */
  leave(): void;
}

export function createScreenView({
  session,
  screen,
  input,
  clipboardSync,
  leave,
}: ScreenViewOptions): ScreenView {
  const { canvas } = screen;
  const overlay = element('img', { class: 'remote-pointer', alt: '', hidden: true });
  const textInput = element('textarea', {
    class: 'catcher',
    'aria-label': consoleTexts.bar.keyboardFocus,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', consoleTexts.bar.screen);
  canvas.className = 'screen';
  const container = element('div', { class: 'stage' }, canvas, overlay, textInput);
  const toDevice = (windowPoint: ScreenPoint): ScreenPoint =>
    toDevicePoint(windowPoint, canvas.getBoundingClientRect(), canvas);
  const focus = (): void => textInput.focus({ preventScroll: true });

  let hasMouse = false;
  canvas.addEventListener('pointerdown', ({ pointerType }) => {
    hasMouse = pointerType !== 'touch';
    // A finger on the picture must not bring up the keyboard of a phone.
    if (hasMouse) setTimeout(focus);
  });
  // The browser would take the focus to the picture, and the button just pressed would count as let go.
  canvas.addEventListener('mousedown', (event) => event.preventDefault());
  canvas.addEventListener('pointermove', ({ pointerType }) => (hasMouse = pointerType !== 'touch'));
  const localPointer = (): ScreenPoint | undefined =>
    hasMouse && !input.viewOnly ? input.position : undefined;
  const cursor = showCursor({ session, canvas, overlay, localPointer });
  const viewport = createViewport(container, canvas, cursor.refresh);
  screen.onLayout(viewport.apply);
  listenToPointer(canvas, input, toDevice);
  listenToTouch({ canvas, input, viewport, toDevice, after: workerClock.after });
  listenToKeyboard({
    textInput,
    input,
    paste: clipboardSync.send,
    mayPaste: () => clipboardSync.isAuto && session.permissions.has('agent_clipboard'),
    leave,
  });
  textInput.addEventListener('blur', () => input.releaseAll());
  return { element: container, viewport, focus };
}
