/** The dock at the right, which shows one panel at a time, the buttons that open the panels, and panels in windows. */
import type { DraggedFile } from '@drawbridge/contract/session/features/file-drag';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { iconButton, updateIconButton, type IconButtonState } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { isOffered, mayUse, whyUnable } from './offers.ts';
import { createPanelSize, type PanelSize } from './panels/panel-size.ts';
import { openPanelWindow, type PanelWindow } from './panels/panel-window.ts';
import type { ConsolePanel } from './panels/console-panel.ts';
import { consoleTexts } from './texts.ts';

export interface PanelDock {
  dock: HTMLElement;
  buttons: HTMLElement;
  /** Redraws the buttons, because permissions may have changed. */
  refresh(): void;
  /** What would happen to files that are dropped onto the screen; undefined if this session does not allow it. */
  dropHint(): string | undefined;
  /** Opens the panel that takes the files. */
  drop(data: DataTransfer): void;
  /** Opens the panel that downloads the files, which were dragged out of the screen. */
  save(files: readonly DraggedFile[]): void;
  /** Closes the windows of panels. */
  close(): void;
}

export interface PanelDockOptions {
  panels: readonly ConsolePanel[];
  /** Called when a panel was closed. */
  onClosed(): void;
  /** Called when the browser did not allow a window. */
  onBlocked(): void;
}

interface OpenPanel {
  panel: ConsolePanel;
  body: HTMLElement;
  /** Cleans up. */
  close(): void;
  /** Undefined while the panel is in the dock. */
  window: PanelWindow | undefined;
}

interface DockState {
  session: RemoteSession;
  options: PanelDockOptions;
  dock: HTMLElement;
  size: PanelSize;
  buttons: HTMLElement;
  buttonOf: ReadonlyMap<ConsolePanel, HTMLButtonElement>;
  /** The ids of panels with something new. */
  unread: Set<string>;
  opened: Set<OpenPanel>;
  isEnding: boolean;
}

export function createPanelDock(session: RemoteSession, options: PanelDockOptions): PanelDock {
  const dock = element('aside', { class: 'side', hidden: true });
  const buttons = element('div', { class: 'tools', role: 'group' });
  const state: DockState = {
    session,
    options,
    dock,
    size: createPanelSize(dock),
    buttons,
    buttonOf: new Map(options.panels.map((panel) => [panel, createButton(panel, () => press(state, panel))])),
    unread: new Set(),
    opened: new Set(),
    isEnding: false,
  };
  for (const panel of options.panels) panel.subscribe?.(session, () => markUnread(state, panel));
  return {
    dock,
    buttons,
    refresh: () => refresh(state),
    dropHint: () => dropPanelOf(state)?.drop?.hint(session),
    drop: (data) => openDropPanel(state)?.take(data),
    save: (files) => openDropPanel(state)?.save(files),
    close() {
      state.isEnding = true;
      for (const { window } of state.opened) window?.close();
    },
  };
}

const openedOf = ({ opened }: DockState, panel: ConsolePanel): OpenPanel | undefined =>
  [...opened].find((each) => each.panel === panel);

const dockedOf = ({ opened }: DockState): OpenPanel | undefined => [...opened].find(({ window }) => !window);

const dropPanelOf = ({ session, options }: DockState): ConsolePanel | undefined =>
  options.panels.find(({ drop: taken, kind }) => taken && mayUse(session, kind));

function openDropPanel(state: DockState): ConsolePanel['drop'] {
  const panel = dropPanelOf(state);
  if (panel && !openedOf(state, panel)) openPanel(state, panel);
  return panel?.drop;
}

function markUnread(state: DockState, panel: ConsolePanel): void {
  if (openedOf(state, panel)) return;
  state.unread.add(panel.id);
  refresh(state);
}

function closePanel(state: DockState, opened: OpenPanel): void {
  opened.close();
  state.opened.delete(opened);
  emptyDock(state);
  state.options.onClosed();
}

function emptyDock(state: DockState): void {
  state.dock.hidden = true;
  fill(state.dock);
  refresh(state);
}

function openPanel(state: DockState, panel: ConsolePanel): void {
  const body = element('div', { class: `side-body panel-${panel.id}` });
  const opened: OpenPanel = { panel, body, close: () => {}, window: undefined };
  state.unread.delete(panel.id);
  showInDock(state, opened);
  opened.close = panel.open(body, state.session);
}

/** Replaces the panel that was there. */
function showInDock(state: DockState, opened: OpenPanel): void {
  const { dock, size } = state;
  const before = dockedOf(state);
  before?.close();
  if (before) state.opened.delete(before);
  state.opened.add(opened);
  opened.window = undefined;
  fill(dock, size.edge, headerOf(state, opened), opened.body);
  dock.setAttribute('aria-label', opened.panel.title);
  dock.hidden = false;
  size.apply(opened.panel);
  refresh(state);
}

/** Moves the panel into a window of its own. Closing the window moves it back. */
function detach(state: DockState, opened: OpenPanel): void {
  const { panel, body } = opened;
  const { width, height } = state.dock.getBoundingClientRect();
  const own = openPanelWindow({
    title: `${panel.title} · ${state.session.device.name || consoleTexts.product}`,
    width,
    height,
    onClose: () => dockAgain(state, opened),
  });
  if (!own) return state.options.onBlocked();
  opened.window = own;
  own.container.append(body);
  emptyDock(state);
  panel.moved?.();
}

function dockAgain(state: DockState, opened: OpenPanel): void {
  if (state.isEnding) return;
  showInDock(state, opened);
  opened.panel.moved?.();
}

function press(state: DockState, panel: ConsolePanel): void {
  const opened = openedOf(state, panel);
  if (!opened) openPanel(state, panel);
  else if (opened.window) opened.window.focus();
  else closePanel(state, opened);
}

function createButton(panel: ConsolePanel, onPress: () => void): HTMLButtonElement {
  const { id, icon, title } = panel;
  const made = iconButton({ icon, label: title, title, press: onPress });
  made.dataset['panel'] = id;
  return made;
}

function stateOf(state: DockState, panel: ConsolePanel): IconButtonState {
  const { title, id, kind } = panel;
  return {
    label: title,
    title: state.unread.has(id) ? `${title} (${consoleTexts.panels.unread})` : title,
    unable: whyUnable(state.session, kind),
    pressed: openedOf(state, panel) !== undefined,
  };
}

function refresh(state: DockState): void {
  const { session, buttons, buttonOf, unread } = state;
  if (session.state.phase !== 'live') return;
  const offered = [...buttonOf].filter(([{ kind }]) => isOffered(session, kind));
  for (const [panel, made] of offered) {
    updateIconButton(made, stateOf(state, panel));
    made.classList.toggle('news', unread.has(panel.id));
  }
  fill(buttons, ...offered.map(([, made]) => made));
}

function headerOf(state: DockState, opened: OpenPanel): HTMLElement {
  const { title, isDetachable } = opened.panel;
  const { panels: texts } = consoleTexts;
  return element(
    'header',
    { class: 'side-head' },
    element('h2', {}, title),
    isDetachable && iconButton({ icon: 'outside', title: texts.detach, press: () => detach(state, opened) }),
    iconButton({ icon: 'end', title: texts.close, press: () => closePanel(state, opened) }),
  );
}
