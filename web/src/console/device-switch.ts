/** What the operator turns on and off on the device, such as its sound. It is off at first, and returns after a lost connection. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import type { IconButtonState } from '../ui/button.ts';
import type { Notices } from '../ui/notices.ts';
import { mayUse } from './offers.ts';

export interface DeviceSwitch {
  isOffered(): boolean;
  /** How the button looks. */
  look(): IconButtonState;
  toggle(): void;
}

export interface DeviceSwitchOptions {
  session: RemoteSession;
  show: Notices['show'];
  changed(): void;
}

/** What this page needs for it, opened before the device is asked. */
interface PagePart<Opened> {
  /** Whether this browser can do it. */
  isPossible: boolean;
  /** Calls `onFailure` if it ends by itself. */
  open(onFailure: () => void): Promise<Opened>;
  whyNot: string;
}

export interface SwitchedFeature<Opened> {
  /** The frames that turn it on and off. */
  kind: 'sound' | 'printing';
  /** `name` is what it is called on the device, if it has a name there. */
  texts: {
    label: string;
    turnOn: string;
    starting: string;
    turnOff(name: string): string;
    started?(name: string): string;
  };
  page?: PagePart<Opened>;
}

interface State<Opened> {
  feature: SwitchedFeature<Opened>;
  options: DeviceSwitchOptions;
  phase: 'off' | 'starting' | 'on';
  name: string;
  /** Why it was not possible the last time. */
  whyNot: string | undefined;
  /** The operator wants it, also while the connection is lost. */
  isWanted: boolean;
  wasLive: boolean;
  opened: Opened | undefined;
}

type Closable = { close(): void };

/** `opened` returns what the page has opened for it, while it is on. */
export function createDeviceSwitch<Opened extends Closable>(
  feature: SwitchedFeature<Opened>,
  options: DeviceSwitchOptions,
): DeviceSwitch & { opened(): Opened | undefined } {
  const { kind } = feature;
  const { session } = options;
  const initial = { phase: 'off', name: '', whyNot: undefined, isWanted: false, wasLive: false } as const;
  const state: State<Opened> = { feature, options, ...initial, opened: undefined };
  session.on(kind, (reply) => takeReply(state, reply));
  session.on('refused', (refusal) => refusal.kind === kind && turnOff(state, refusal.message));
  session.onChange(() => followConnection(state));
  return {
    isOffered: () => mayUse(session, kind),
    look: () => lookOf(state),
    toggle: () => (state.isWanted ? stop(state) : void start(state)),
    opened: () => (state.phase === 'on' ? state.opened : undefined),
  };
}

function lookOf({ feature: { texts, page }, phase, name, whyNot }: State<unknown>): IconButtonState {
  const { label } = texts;
  if (page && !page.isPossible) return { title: texts.turnOn, label, unable: page.whyNot };
  const turnOn = whyNot ? `${texts.turnOn}: ${whyNot}` : texts.turnOn;
  const title = { off: turnOn, starting: texts.starting, on: texts.turnOff(name) }[phase];
  return { title, label, pressed: phase === 'on' };
}

function setPhase(state: State<Closable>, phase: State<Closable>['phase'], whyNot?: string): void {
  [state.phase, state.whyNot] = [phase, whyNot];
  if (phase === 'off') {
    state.opened?.close();
    state.opened = undefined;
  }
  state.options.changed();
}

function turnOff(state: State<Closable>, whyNot?: string): void {
  state.isWanted = false;
  setPhase(state, 'off', whyNot);
}

function stop(state: State<Closable>, whyNot?: string): void {
  state.options.session.send(state.feature.kind, { on: false });
  turnOff(state, whyNot);
}

function takeReply(
  state: State<Closable>,
  { on, printer = '', message }: { on: boolean; printer?: string | undefined; message?: string | undefined },
): void {
  const { feature, options } = state;
  if (on && state.phase === 'starting') {
    state.name = printer;
    setPhase(state, 'on');
    if (feature.texts.started) options.show(feature.texts.started(printer));
  }
  // Without a message it replies to the operator, who may have turned it on again since.
  if (on || !message || !state.isWanted) return;
  turnOff(state, message);
  options.show(message, 'bad');
}

async function start(state: State<Closable>): Promise<void> {
  const { feature, options } = state;
  state.isWanted = true;
  setPhase(state, 'starting');
  if (feature.page && !(await openInPage(state, feature.page))) return;
  options.session.send(feature.kind, { on: true });
}

/** Resolves with false if it has failed, or is not wanted any more. */
async function openInPage(state: State<Closable>, page: PagePart<Closable>): Promise<boolean> {
  const fail = (): void => {
    stop(state, page.whyNot);
    state.options.show(page.whyNot, 'bad');
  };
  const opened = await page.open(fail).catch(fail);
  if (!opened) return false;
  const isWanted = state.phase === 'starting' && !state.opened;
  if (isWanted) state.opened = opened;
  else opened.close();
  return isWanted;
}

/** The device does not know of the earlier connection, so it is asked again. */
function followConnection(state: State<Closable>): void {
  const { feature, options } = state;
  const isLive = options.session.state.phase === 'live';
  const [isLost, isBack] = [state.wasLive && !isLive, isLive && !state.wasLive];
  state.wasLive = isLive;
  if (isLost) setPhase(state, 'off');
  if (isBack && state.isWanted) void start(state);
  else if (isLive && state.isWanted && !mayUse(options.session, feature.kind)) turnOff(state);
}
