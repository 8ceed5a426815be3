/** The area with the remote screen: the canvas, the device's pointer, and the invisible field that has the focus. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { element } from '../../ui/element.ts';
import { showCursor, type CursorOptions } from './cursor.ts';
import { toDevicePoint, type ScreenPoint } from '../input/geometry.ts';
import { listenToKeyboard } from '../input/keyboard.ts';
import { createOnScreenKeyboard, type OnScreenKeyboard } from '../input/on-screen-keyboard.ts';
import { listenToPointer } from '../input/pointer.ts';
import type { StickyInput } from '../input/sticky-input.ts';
import { isTouchScreen, listenToTouch } from '../input/touch.ts';
import type { ClipboardSync } from '../clipboard-sync.ts';
import { mayUse } from '../offers.ts';
import type { RemoteScreen } from './remote-screen.ts';
import { createViewport, type Viewport } from './viewport.ts';
import { workerClock } from '../../ui/worker-clock.ts';
import { consoleTexts } from '../texts.ts';

export interface ScreenView {
  element: HTMLElement;
  viewport: Viewport;
  keyboard: OnScreenKeyboard;
  /** Does nothing on a touch screen, where it would open the on-screen keyboard. */
  focus(): void;
  close(): void;
}

export interface ScreenViewOptions extends Pick<CursorOptions, 'origin' | 'cursor'> {
  session: RemoteSession;
  screen: Pick<RemoteScreen, 'canvas' | 'onLayout'>;
  input: StickyInput;
  clipboardSync: ClipboardSync;
  /** Moves the focus out of the screen by keyboard. */
  leave(): void;
}

export function createScreenView(options: ScreenViewOptions): ScreenView {
  const { session, screen, input, clipboardSync, leave, origin } = options;
  const { canvas } = screen;
  const overlay = element('img', { class: 'remote-pointer', alt: '', hidden: true });
  const textInput = createTextInput();
  describeCanvas(canvas);
  const container = element('div', { class: 'stage' }, canvas, overlay, textInput);
  const toDevice = (windowPoint: ScreenPoint): ScreenPoint => {
    const { x, y } = toDevicePoint(windowPoint, canvas.getBoundingClientRect(), canvas);
    const corner = origin?.() ?? { x: 0, y: 0 };
    return { x: x + corner.x, y: y + corner.y };
  };
  const focus = (): void => textInput.focus({ preventScroll: true });
  const hasMouse = watchMouse(canvas, focus);
  const localPointer = (): ScreenPoint | undefined =>
    hasMouse() && !input.viewOnly ? input.position : undefined;
  const cursor = showCursor({ ...options, canvas, overlay, localPointer });
  const viewport = createViewport(container, canvas, cursor.refresh);
  screen.onLayout(viewport.apply);
  listenToPointer(canvas, input, toDevice);
  listenToTouch({ container, canvas, input, viewport, toDevice, after: workerClock.after });
  listenToKeyboard({
    textInput,
    input,
    paste: clipboardSync.send,
    mayPaste: () => clipboardSync.isAuto && mayUse(session, 'clipboard'),
    leave,
  });
  textInput.addEventListener('blur', () => input.releaseAll());
  return {
    element: container,
    viewport,
    keyboard: createOnScreenKeyboard(textInput),
    focus: () => void (isTouchScreen() || focus()),
    close: cursor.close,
  };
}

const createTextInput = (): HTMLTextAreaElement =>
  element('textarea', {
    class: 'catcher',
    'aria-label': consoleTexts.bar.keyboardFocus,
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
  });

function describeCanvas(canvas: HTMLCanvasElement): void {
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', consoleTexts.bar.screen);
  canvas.className = 'screen';
}

/** Returns whether the canvas was last used with a mouse or pen. A press of these also sets the focus. */
function watchMouse(canvas: HTMLCanvasElement, focus: () => void): () => boolean {
  let hasMouse = false;
  canvas.addEventListener('pointerdown', ({ pointerType }) => {
    hasMouse = pointerType !== 'touch';
    // A touch must not open the on-screen keyboard of a phone.
    if (hasMouse) setTimeout(focus);
  });
  // The browser would move the focus to the canvas, and the blur would release the button just pressed.
  canvas.addEventListener('mousedown', (event) => event.preventDefault());
  canvas.addEventListener('pointermove', ({ pointerType }) => (hasMouse = pointerType !== 'touch'));
  return () => hasMouse;
}
