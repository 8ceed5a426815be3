/** The bar above the picture: only what the session allows, with a reason for what the device can not do. */
import { iconButton } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { actionsMenu } from './actions-menu.ts';
import { clipboardMenu } from './clipboard-menu.ts';
import type { ConsoleContext } from './console-context.ts';
import { keysMenu } from './keys-menu.ts';
import { safetyMenu, showStatus } from './status.ts';
import { consoleTexts } from './texts.ts';
import { viewMenu } from './view-menu.ts';

export interface ConsoleToolbar {
  element: HTMLElement;
  /** Anew, as permissions or choices may have changed. */
  refresh(): void;
  /** Who else holds mouse and keyboard, if somebody does. */
  showDriver(name: string | undefined): void;
  stop(): void;
}

const { bar: texts } = consoleTexts;

export function createConsoleToolbar(context: ConsoleContext, panelButtons: HTMLElement): ConsoleToolbar {
  const { session } = context;
  const tools = element('div', { class: 'tools', role: 'group' });
  const badges = element('div', { class: 'signs' });
  const name = element('span', { class: 'device-name', dir: 'auto' });
  const status = showStatus(session, context.screen);
  let driver: string | undefined;
  let drawnFor = '';

  const refresh = (): void => {
    name.textContent = session.device.name || consoleTexts.product;
    const now = JSON.stringify([[...session.permissions], session.unable]);
    // A menu that is open must not vanish because something else has changed.
    if (session.state.phase === 'live' && now !== drawnFor) fill(tools, ...offered(context));
    if (session.state.phase === 'live') drawnFor = now;
    fill(
      badges,
      session.recording && badge(texts.recording, 'recording', texts.recordingHint),
      context.blackOut.isUp === true && badge(texts.blackedOut, 'shield', texts.blackedOutHint),
      context.choices.viewOnly && badge(texts.viewOnly, 'view-only'),
      driver !== undefined && badge(texts.controlling(driver), 'driver'),
    );
  };
  const bar = element(
    'header',
    { class: 'bar', role: 'toolbar', 'aria-label': texts.label },
    element('div', { class: 'device' }, icon('bridge'), name),
    tools,
    panelButtons,
    badges,
    element('div', { class: 'bar-end' }, status.element, safetyMenu(session), endButton(context)),
  );
  return {
    element: bar,
    refresh,
    showDriver(next) {
      driver = next;
      refresh();
    },
    stop: status.stop,
  };
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

function offered(context: ConsoleContext): (HTMLElement | undefined)[] {
  const { permissions, unable } = context.session;
  const offers = (permission: string): boolean => permissions.has(permission) || permission in unable;
  return [
    permissions.has('agent_connect') ? viewMenu(context) : undefined,
    permissions.has('agent_control') ? keysMenu(context) : undefined,
    offers('agent_clipboard') ? clipboardMenu(context, unable['agent_clipboard']) : undefined,
    actionsMenu(context),
  ];
}
