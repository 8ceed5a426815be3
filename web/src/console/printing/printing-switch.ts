/** Adds a printer to the device and removes it. There is none at first; it returns after a lost connection. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import type { IconButtonState } from '../../ui/button.ts';
import type { Notices } from '../../ui/notices.ts';
import { mayUse } from '../offers.ts';
import { printingTexts as texts } from './texts.ts';

export interface PrintingSwitch {
  isOffered(): boolean;
  /** How the button looks. */
  look(): IconButtonState;
  toggle(): void;
}

export interface PrintingSwitchOptions {
  session: RemoteSession;
  show: Notices['show'];
  changed(): void;
}

interface State {
  options: PrintingSwitchOptions;
  phase: 'off' | 'starting' | 'on';
  /** Its name on the device. */
  printer: string;
  /** Why it was not possible the last time. */
  whyNot: string | undefined;
  /** The operator wants it, also while the connection is lost. */
  isWanted: boolean;
  wasLive: boolean;
}

export function createPrintingSwitch(options: PrintingSwitchOptions): PrintingSwitch {
  const { session, show } = options;
  const state: State = {
    options,
    phase: 'off',
    printer: '',
    whyNot: undefined,
    isWanted: false,
    wasLive: false,
  };
  session.on('printing', ({ on, printer = '', message }) => {
    if (on && state.phase === 'starting') turnedOn(state, printer);
    // Without a message it replies to the operator, who may have turned it on again since.
    if (on || !message || !state.isWanted) return;
    turnOff(state, message);
    show(message, 'bad');
  });
  session.on('refused', ({ kind, message }) => kind === 'printing' && turnOff(state, message));
  session.onChange(() => followConnection(state));
  return {
    isOffered: () => mayUse(session, 'printing'),
    look: () => lookOf(state),
    toggle: () => (state.isWanted ? stop(state) : start(state)),
  };
}

function lookOf({ phase, printer, whyNot }: State): IconButtonState {
  const turnOn = whyNot ? `${texts.turnOn}: ${whyNot}` : texts.turnOn;
  const title = { off: turnOn, starting: texts.starting, on: texts.turnOff(printer) }[phase];
  return { title, label: texts.label, pressed: phase === 'on' };
}

function setPhase(state: State, phase: State['phase'], whyNot?: string): void {
  [state.phase, state.whyNot] = [phase, whyNot];
  state.options.changed();
}

function turnedOn(state: State, printer: string): void {
  state.printer = printer;
  setPhase(state, 'on');
  state.options.show(texts.started(printer));
}

function turnOff(state: State, whyNot?: string): void {
  state.isWanted = false;
  setPhase(state, 'off', whyNot);
}

function stop(state: State): void {
  state.options.session.send('printing', { on: false });
  turnOff(state);
}

function start(state: State): void {
  state.isWanted = true;
  setPhase(state, 'starting');
  state.options.session.send('printing', { on: true });
}

/** The device does not know of the earlier connection, so it is asked again. */
function followConnection(state: State): void {
  const { session } = state.options;
  const isLive = session.state.phase === 'live';
  const [isLost, isBack] = [state.wasLive && !isLive, isLive && !state.wasLive];
  state.wasLive = isLive;
  if (isLost) setPhase(state, 'off');
  if (isBack && state.isWanted) start(state);
  else if (isLive && state.isWanted && !mayUse(session, 'printing')) turnOff(state);
}
