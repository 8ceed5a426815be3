/** The toolbar above the screen. It offers what the session allows, with a reason for what the device cannot do. */
import { iconButton, updateIconButton } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { actionsMenu } from './menus/actions-menu.ts';
import { clipboardMenu } from './menus/clipboard-menu.ts';
import type { ConsoleContext } from './console-context.ts';
import { mayUse, isOffered, whyUnable } from './offers.ts';
import { fitLabels } from './fit-labels.ts';
import { keysMenu } from './menus/keys-menu.ts';
import { saveScreenshot } from './screen/screenshot.ts';
import { showSessionTimer } from './session-timer.ts';
import { safetyMenu, showStatus } from './menus/status.ts';
import { consoleTexts } from './texts.ts';
import { viewMenu } from './menus/view-menu.ts';

export interface ConsoleToolbar {
  element: HTMLElement;
  /** Redraws, because permissions or settings may have changed. */
  refresh(): void;
  /** Shows who else controls mouse and keyboard, if anyone does. */
  showDriver(name: string | undefined): void;
  stop(): void;
}

const { bar: texts } = consoleTexts;

interface ToolbarState {
  context: ConsoleContext;
  tools: HTMLElement;
  badges: HTMLElement;
  name: HTMLElement;
  recordButton: HTMLButtonElement;
  soundButton: HTMLButtonElement;
  printButton: HTMLButtonElement;
  driver: string | undefined;
  /** The permissions and the version of the device for which the tools were drawn. */
  drawnFor: string;
}

/** `startedAt`: when the session began, in milliseconds since 1970. */
export function createConsoleToolbar(
  context: ConsoleContext,
  panelButtons: HTMLElement,
  startedAt: number,
): ConsoleToolbar {
  const { session } = context;
  const timer = showSessionTimer(startedAt);
  const tools = element('div', { class: 'tools', role: 'group' });
  const badges = element('div', { class: 'signs' });
  const name = element('span', { class: 'device-name', dir: 'auto' });
  const status = showStatus(session, context.screen);
  const buttons = createToggles(context);
  const state: ToolbarState = { context, tools, badges, name, ...buttons, driver: undefined, drawnFor: '' };
  const bar = element(
    'header',
    { class: 'bar', role: 'toolbar', 'aria-label': texts.label },
    element('div', { class: 'device' }, icon('bridge'), name),
    tools,
    panelButtons,
    badges,
    element(
      'div',
      { class: 'bar-end' },
      timer.element,
      status.element,
      safetyMenu(session),
      endButton(context),
    ),
  );
  const labels = fitLabels(bar);
  return {
    element: bar,
    refresh: () => refresh(state),
    showDriver(next) {
      state.driver = next;
      refresh(state);
    },
    stop: () => [timer, status, labels].forEach((each) => each.stop()),
  };
}

function refresh(state: ToolbarState): void {
  const { context, tools, badges, name, recordButton, soundButton, printButton, driver } = state;
  const { session } = context;
  name.textContent = session.device.name || consoleTexts.product;
  const { permissions, unable, deviceVersion, mayRecord, recording } = session;
  updateIconButton(recordButton, recordTexts(recording));
  updateIconButton(soundButton, context.sound.look());
  updateIconButton(printButton, context.printing.look());
  const offer = JSON.stringify([[...permissions], unable, deviceVersion, mayRecord]);
  // An open menu must not vanish because something else has changed.
  if (session.state.phase === 'live' && offer !== state.drawnFor) {
    fill(tools, ...offered(state));
    state.drawnFor = offer;
  }
  fill(
    badges,
    recording && badge(texts.recording, 'recording', texts.recordingHint),
    context.blackOut.isUp === true && badge(texts.blackedOut, 'shield', texts.blackedOutHint),
    context.choices.viewOnly && badge(texts.viewOnly, 'view-only'),
    driver !== undefined && badge(texts.controlling(driver), 'driver'),
  );
}

const badge = (text: string, look: string, title = text): HTMLElement =>
  element('span', { class: `sign ${look}`, title, role: 'status' }, text);

function endButton({ session }: ConsoleContext): HTMLElement {
  const made = iconButton({
    icon: 'end',
    title: texts.end,
    label: texts.endShort,
    press: () => session.end(),
  });
  made.classList.add('end');
  return made;
}

const screenshotButton = (context: ConsoleContext): HTMLElement => {
  const { title, label } = consoleTexts.screenshot;
  return iconButton({ icon: 'camera', title, label, press: () => saveScreenshot(context) });
};

/** They are changed in place. */
const createToggles = ({
  manualRecording,
  sound,
  printing,
}: ConsoleContext): Pick<ToolbarState, 'recordButton' | 'soundButton' | 'printButton'> => ({
  recordButton: iconButton({ icon: 'record', press: manualRecording.toggle, ...recordTexts(false) }),
  soundButton: iconButton({ icon: 'sound', press: sound.toggle, ...sound.look() }),
  printButton: iconButton({ icon: 'print', press: printing.toggle, ...printing.look() }),
});

const recordTexts = (isRecorded: boolean): { title: string; label: string } =>
  isRecorded
    ? { title: texts.stopRecording, label: texts.stopShort }
    : { title: texts.record, label: texts.recordShort };

function offered({
  context,
  recordButton,
  soundButton,
  printButton,
}: ToolbarState): (HTMLElement | undefined)[] {
  const { session } = context;
  return [
    mayUse(session, 'view') ? viewMenu(context) : undefined,
    mayUse(session, 'key') ? keysMenu(context) : undefined,
    isOffered(session, 'clipboard') ? clipboardMenu(context, whyUnable(session, 'clipboard')) : undefined,
    mayUse(session, 'view') ? screenshotButton(context) : undefined,
    context.sound.isOffered() ? soundButton : undefined,
    context.printing.isOffered() ? printButton : undefined,
    context.manualRecording.isOffered() ? recordButton : undefined,
    actionsMenu(context),
  ];
}
