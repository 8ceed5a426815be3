/** The console during a session: toolbar, screen, panels, and the overlay while the connection is lost. */
import { switchRecording } from '@drawbridge/session/browser/session-api';
import type { OperatorSession } from '@drawbridge/session/operator/operator';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { activeDocument } from '../ui/active-document.ts';
import { element, fill } from '../ui/element.ts';
import { createNotices } from '../ui/notices.ts';
import type { SavedChat } from '../ui/saved-chat.ts';
import { createBlackOut } from './black-out.ts';
import { createClipboardSync } from './clipboard-sync.ts';
import type { ConsoleContext } from './console-context.ts';
import { createDeviceSwitch } from './device-switch.ts';
import { watchDragOut } from './drag-out/drag-out.ts';
import { createPrintedDocuments } from './printing/printed-documents.ts';
import { printingTexts } from './printing/texts.ts';
import { createRemoteInput } from './input/remote-input.ts';
import { createRecordingSwitch } from './recording-switch.ts';
import { createStickyInput } from './input/sticky-input.ts';
import { createKeyBar, type KeyBar } from './key-bar.ts';
import { createMonitors, type Monitors } from './monitors/monitors.ts';
import { mayUse } from './offers.ts';
import { createPanels } from './panels/create-panels.ts';
import { createRemoteScreen } from './screen/remote-screen.ts';
import { createPanelDock, type PanelDock } from './panel-dock.ts';
import { acceptScreenDrops } from './screen/screen-drop.ts';
import { createScreenView, type ScreenView } from './screen/screen-view.ts';
import { screenStatus } from './session-status.ts';
import { createSoundSwitch } from './sound/sound-switch.ts';
import { consoleTexts } from './texts.ts';
import { createConsoleToolbar, type ConsoleToolbar } from './toolbar.ts';
import { createTouchHint } from './screen/touch-hint.ts';

export interface Workspace {
  element: HTMLElement;
  close(): void;
}

export interface WorkspaceOptions {
  savedChat: SavedChat;
  /** When the session began, in milliseconds since 1970. */
  startedAt: number;
  /** Whether the session was recorded before the page was reloaded. */
  wasRecorded: boolean;
}

export function createWorkspace(
  session: OperatorSession,
  { savedChat, startedAt, wasRecorded }: WorkspaceOptions,
): Workspace {
  const leave = (): void => toolbar.element.querySelector<HTMLElement>('.tool')?.focus();
  const { context, screenView } = createContext(session, { leave, refresh: () => refresh(), wasRecorded });
  const panelDock = createPanelDock(session, {
    panels: createPanels(savedChat),
    onClosed: screenView.focus,
    onBlocked: () => showBlocked(context),
  });
  const toolbar: ConsoleToolbar = createConsoleToolbar(context, panelDock.buttons, startedAt);
  const { body, overlay } = createBody(context, screenView, panelDock);
  const keyBar = createKeyBar(context.input, screenView.keyboard);
  const applyControl = watchDriver(context, toolbar, keyBar);
  const refresh = (): void => {
    toolbar.refresh();
    panelDock.refresh();
    applyControl();
    showOverlay(context, overlay);
    markOldPicture(context, body);
  };
  const stop = watchSession(context, refresh);
  session.on('refused', ({ message }) => context.notices.show(message, 'bad'));
  const documents = createPrintedDocuments(session, context.notices.show);
  const parts = [toolbar.element, body, keyBar.element, documents.element, context.notices.element];
  return {
    element: element('div', { class: 'console' }, ...parts),
    close() {
      stop();
      toolbar.stop();
      panelDock.close();
      context.monitors.close();
      documents.close();
    },
  };
}

const showBlocked = ({ notices }: Pick<ConsoleContext, 'notices'>): void =>
  notices.show(consoleTexts.panels.windowBlocked, 'bad');

/** Moves are sent with the frames of the window in use, because one that is covered has none. */
const nextFrame = (call: () => void): void => void activeDocument().defaultView!.requestAnimationFrame(call);

function createBody(
  { session, screen, input, notices }: ConsoleContext,
  screenView: ScreenView,
  panelDock: PanelDock,
): { body: HTMLElement; overlay: HTMLElement } {
  const overlay = element('div', { class: 'trouble', role: 'alert', hidden: true });
  const dropHint = acceptScreenDrops(screenView.element, panelDock);
  const dragHint = watchDragOut({
    session,
    stage: screenView.element,
    canvas: screen.canvas,
    input,
    show: notices.show,
    save: panelDock.save,
  });
  const touchHint = mayUse(session, 'view') && createTouchHint();
  const parts = [screenView.element, overlay, dropHint, dragHint, touchHint, panelDock.dock];
  return { body: element('main', { class: 'body' }, ...parts), overlay };
}

interface ContextOptions extends Pick<WorkspaceOptions, 'wasRecorded'> {
  /** Moves the focus from the screen to the toolbar. */
  leave(): void;
  refresh(): void;
}

function createContext(
  session: OperatorSession,
  { leave, refresh, wasRecorded }: ContextOptions,
): { context: ConsoleContext; screenView: ScreenView } {
  const notices = createNotices();
  const screen = createRemoteScreen(session);
  const input = createStickyInput(createRemoteInput(session.send, nextFrame));
  const clipboardSync = createClipboardSync(session, () => notices.show(consoleTexts.clipboard.missed));
  const parts = { session, screen, input, clipboardSync, leave };
  const screenView = createScreenView(parts);
  const monitors = createMonitors({
    ...parts,
    onBlocked: () => showBlocked({ notices }),
    onVisibility: () => session.send('view', { paused: isPaused(monitors) }),
  });
  const switched = { session, show: notices.show, changed: refresh };
  const context: ConsoleContext = {
    session,
    screen,
    input,
    clipboardSync,
    notices,
    monitors,
    viewport: screenView.viewport,
    blackOut: createBlackOut(switched),
    sound: createSoundSwitch(switched),
    printing: createDeviceSwitch({ kind: 'printing', texts: printingTexts }, switched),
    manualRecording: createRecordingSwitch({
      session,
      notices,
      wasRecorded,
      request: (on) => switchRecording(session.resumeToken!, on),
    }),
    choices: { quality: 'auto', viewOnly: false },
    onChoice: refresh,
    focus: screenView.focus,
  };
  return { context, screenView };
}

/** Returns a function that blocks input in view-only mode, without the permission, or while somebody else controls. */
function watchDriver(
  { session, input, choices }: ConsoleContext,
  toolbar: ConsoleToolbar,
  keyBar: KeyBar,
): () => void {
  let other: string | undefined;
  const applyControl = (): void => {
    const next = choices.viewOnly || other !== undefined || !mayUse(session, 'pointer');
    if (input.viewOnly !== next) input.viewOnly = next;
    keyBar.show(!next);
  };
  session.on('people', ({ people }) => {
    other = people.find(({ driver, you }) => driver && !you)?.name;
    toolbar.showDriver(other);
    applyControl();
  });
  return applyControl;
}

/** The old picture of a device that is away is dimmed. That of a client, and of a screen that is no longer shown, is removed. */
function markOldPicture({ session, screen, monitors }: ConsoleContext, body: HTMLElement): void {
  const isLive = session.state.phase === 'live';
  body.classList.toggle('away', !isLive);
  monitors.dim(!isLive);
  const isKept = isLive ? session.permissions.has('agent_connect') : session.client === undefined;
  if (!isKept) screen.clear();
}

function showOverlay({ session }: ConsoleContext, overlay: HTMLElement): void {
  const text = screenStatus(session);
  overlay.hidden = text === undefined;
  fill(overlay, session.state.phase !== 'live' && element('span', { class: 'spinner' }), text);
}

const visibleState = (session: RemoteSession): string => {
  const { state, permissions, unable, recording, mayRecord, deviceVersion, client } = session;
  return JSON.stringify([state, [...permissions], unable, recording, mayRecord, deviceVersion, client]);
};

/** Nobody sees the picture. */
const isPaused = (monitors: Monitors): boolean => document.hidden && !monitors.areVisible();

/** Redraws when something visible has changed, and starts the picture whenever the session becomes live. */
function watchSession(
  { session, screen, monitors, choices, input, focus }: ConsoleContext,
  refresh: () => void,
): () => void {
  let [before, phase] = ['', ''];
  const onSessionChange = (): void => {
    const now = visibleState(session);
    if (now === before) return;
    before = now;
    refresh();
    if (session.state.phase === 'live' && phase !== 'live') {
      monitors.restore();
      screen.begin({ quality: choices.quality, paused: isPaused(monitors) });
      focus();
    }
    phase = session.state.phase;
  };
  const ending = new AbortController();
  const { signal } = ending;
  const onVisibilityChange = (): void => {
    if (document.hidden) input.releaseAll();
    session.send('view', { paused: isPaused(monitors) });
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
