/** Files that the operator drags out of the picture: shows what will happen to them, and saves them after they were dropped. */
import type { DraggedFile } from '@drawbridge/contract/session/features/file-drag';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { element } from '../../ui/element.ts';
import type { Notices } from '../../ui/notices.ts';
import { isOutsideAny } from '../input/geometry.ts';
import type { RemoteInput } from '../input/remote-input.ts';
import { mayUse } from '../offers.ts';
import { dragOutTexts as texts } from './texts.ts';

export interface DragOutOptions {
  session: RemoteSession;
  /** The part of the page that shows the picture, which is in its canvas. */
  stage: HTMLElement;
  canvas: HTMLElement;
  input: Pick<RemoteInput, 'viewOnly'>;
  show: Notices['show'];
  /** Downloads them. */
  save(files: readonly DraggedFile[]): void;
}

interface State extends DragOutOptions {
  hint: HTMLElement;
  /** The pointer is outside of the picture with a button down. */
  isOutside: boolean;
  /** How many files the operator was told to let go of. */
  count: number | undefined;
  /** What the operator let go of outside of the picture, until the device has answered. */
  released: { count: number | undefined; at: number } | undefined;
}

/** A pointer that overshoots the edge by less is still in the picture. */
const marginPixels = 8;
/** Later offers are ignored, because a device must not save files here that nobody has dragged. */
const offerTimeoutMs = 15_000;

/** Returns the element that tells what will happen. */
export function watchDragOut(options: DragOutOptions): HTMLElement {
  const { session, stage } = options;
  const hint = element('p', { class: 'drop-hint', role: 'status', hidden: true });
  const state: State = { ...options, hint, isOutside: false, count: undefined, released: undefined };
  for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
    stage.addEventListener(name, (event) => followPointer(state, event));
  session.on('file_drag', (message) => handle(state, message));
  session.onChange(() => {
    if (session.state.phase === 'live') return;
    showHint(state, undefined);
    Object.assign(state, { isOutside: false, released: undefined });
  });
  return hint;
}

function followPointer(state: State, { pointerType, buttons, clientX, clientY }: PointerEvent): void {
  const { session, input, stage, canvas, isOutside } = state;
  if (pointerType === 'touch') return;
  if (buttons === 0) {
    if (isOutside) release(state);
    return;
  }
  const mayDrag = !input.viewOnly && mayUse(session, 'pointer') && mayUse(session, 'file_drag');
  const areas = [stage, canvas].map((each) => each.getBoundingClientRect());
  const isNowOutside = mayDrag && isOutsideAny({ x: clientX, y: clientY }, areas, marginPixels);
  if (isNowOutside === isOutside) return;
  Object.assign(state, { isOutside: isNowOutside, released: undefined });
  showHint(state, undefined);
  session.send('file_drag', { is: isNowOutside ? 'outside' : 'inside' });
}

function release(state: State): void {
  state.released = { count: state.count, at: performance.now() };
  state.isOutside = false;
  showHint(state, undefined);
}

function showHint(state: State, shown: { text: string; count?: number } | undefined): void {
  const { hint } = state;
  state.count = shown?.count;
  hint.hidden = shown === undefined;
  hint.classList.toggle('bad', shown !== undefined && shown.count === undefined);
  hint.textContent = shown?.text ?? '';
}

function handle(state: State, message: SessionMessage<'file_drag'>): void {
  const { isOutside } = state;
  if (message.is === 'dropped') return take(state, message.files);
  if (message.is === 'ended') state.released = undefined;
  if (message.is === 'unable') refuse(state, message.message);
  if (message.is === 'ready' && isOutside)
    showHint(state, { text: texts.letGo(message.count), count: message.count });
}

function refuse(state: State, text: string): void {
  if (state.isOutside) showHint(state, { text });
  else if (takeReleased(state)) state.show(text, 'bad');
}

/** What the operator let go of lately. Each counts once. */
function takeReleased(state: State): State['released'] {
  const { released } = state;
  state.released = undefined;
  return released && performance.now() - released.at < offerTimeoutMs ? released : undefined;
}

function take(state: State, files: readonly DraggedFile[]): void {
  const { show, save } = state;
  const released = takeReleased(state);
  if (!released) return;
  const { count } = released;
  if (count === undefined) return show(texts.tooEarly, 'bad');
  if (files.length > count) return;
  save(files);
  if (files.length < count) show(texts.leftOut(count - files.length), 'bad');
}
