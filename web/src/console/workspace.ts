/** The console during a session: toolbar, screen, panels, and the overlay while the connection is lost. */
import type { OperatorSession } from '@drawbridge/session/operator/operator';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { element, fill } from '../ui/element.ts';
import { createNotices } from '../ui/notices.ts';
import { createBlackOut } from './black-out.ts';
import { createClipboardSync } from './clipboard-sync.ts';
import type { ConsoleContext } from './console-context.ts';
import { createRemoteInput } from './input/remote-input.ts';
import { mayUse } from './offers.ts';
import { createPanels } from './panels/create-panels.ts';
import { createRemoteScreen } from './screen/remote-screen.ts';
import { createPanelDock } from './panel-dock.ts';
import { createScreenView, type ScreenView } from './screen/screen-view.ts';
import { consoleTexts } from './texts.ts';
import { createConsoleToolbar, type ConsoleToolbar } from './toolbar.ts';

export interface Workspace {
  element: HTMLElement;
  close(): void;
}

export function createWorkspace(session: OperatorSession): Workspace {
  const leave = (): void => toolbar.element.querySelector<HTMLElement>('.tool')?.focus();
  const { context, screenView } = createContext(session, { leave, refresh: () => refresh() });
  const panelDock = createPanelDock(session, createPanels(), screenView.focus);
  const toolbar: ConsoleToolbar = createConsoleToolbar(context, panelDock.buttons);
  const overlay = element('div', { class: 'trouble', role: 'alert', hidden: true });
  const body = element('main', { class: 'body' }, screenView.element, overlay, panelDock.dock);
  const applyControl = watchDriver(context, toolbar);
  const refresh = (): void => {
    toolbar.refresh();
    panelDock.refresh();
    applyControl();
    showOverlay(context, overlay);
    body.classList.toggle('away', session.state.phase !== 'live');
  };
  const stop = watchSession(context, refresh);
  session.on('refused', ({ message }) => context.notices.show(message, 'bad'));
  return {
    element: element('div', { class: 'console' }, toolbar.element, body, context.notices.element),
    close() {
      stop();
      toolbar.stop();
    },
  };
}

interface ContextCallbacks {
  /** Moves the focus from the screen to the toolbar. */
  leave(): void;
  refresh(): void;
}

function createContext(
  session: OperatorSession,
  { leave, refresh }: ContextCallbacks,
): { context: ConsoleContext; screenView: ScreenView } {
  const notices = createNotices();
  const screen = createRemoteScreen(session);
  const input = createRemoteInput(session.send, requestAnimationFrame);
  const clipboardSync = createClipboardSync(session, () => notices.show(consoleTexts.clipboard.missed));
  const screenView = createScreenView({ session, screen, input, clipboardSync, leave });
  const context: ConsoleContext = {
    session,
    screen,
    input,
    clipboardSync,
    notices,
    viewport: screenView.viewport,
    blackOut: createBlackOut({ session, show: notices.show, changed: refresh }),
    choices: { quality: 'auto', viewOnly: false },
    onChoice: refresh,
    focus: screenView.focus,
  };
  return { context, screenView };
}

/** Returns a function that blocks input in view-only mode, without the permission, or while somebody else controls. */
function watchDriver({ session, input, choices }: ConsoleContext, toolbar: ConsoleToolbar): () => void {
  let other: string | undefined;
  const applyControl = (): void => {
    const next = choices.viewOnly || other !== undefined || !mayUse(session, 'pointer');
    if (input.viewOnly !== next) input.viewOnly = next;
  };
  session.on('people', ({ people }) => {
    other = people.find(({ driver, you }) => driver && !you)?.name;
    toolbar.showDriver(other);
    applyControl();
  });
  return applyControl;
}

function showOverlay({ session }: ConsoleContext, overlay: HTMLElement): void {
  const { state, permissions, unable } = session;
  const isAway = state.phase === 'reconnecting';
  overlay.hidden = !isAway && permissions.has('agent_connect');
  if (isAway)
    fill(overlay, element('span', { class: 'spinner' }), state.message || consoleTexts.reconnecting);
  else fill(overlay, unable['agent_connect'] ?? consoleTexts.noScreen);
}

const visibleState = ({ state, permissions, unable, recording, deviceVersion }: RemoteSession): string =>
  JSON.stringify([state, [...permissions], unable, recording, deviceVersion]);

/** Redraws when something visible has changed, and starts the picture whenever the session becomes live. */
function watchSession(
  { session, screen, choices, input, focus }: ConsoleContext,
  refresh: () => void,
): () => void {
  let [before, phase] = ['', ''];
  const onSessionChange = (): void => {
    const now = visibleState(session);
    if (now === before) return;
    before = now;
    refresh();
    if (session.state.phase === 'live' && phase !== 'live') {
      screen.begin({ quality: choices.quality, paused: document.hidden });
      if (!matchMedia('(pointer: coarse)').matches) focus();
    }
    phase = session.state.phase;
  };
  const ending = new AbortController();
  const { signal } = ending;
  const onVisibilityChange = (): void => {
    if (document.hidden) input.releaseAll();
    session.send('view', { paused: document.hidden });
  };
  document.addEventListener('visibilitychange', onVisibilityChange, { signal });
  addEventListener('blur', () => input.releaseAll(), { signal });
  // A key meant for the device, such as Ctrl+W, must not end the session without a prompt.
  const guard = (event: Event): void => {
    if (session.state.phase === 'live') event.preventDefault();
  };
  addEventListener('beforeunload', guard, { signal });
  const stop = session.onChange(onSessionChange);
  queueMicrotask(onSessionChange);
  return () => {
    stop();
    ending.abort();
  };
}
