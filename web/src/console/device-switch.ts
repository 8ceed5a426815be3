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
  /** Calls `onFailure` if it ends by itself, and rejects if a file of it did not load. */
  open(onFailure: () => void): Promise<Opened>;
  whyNot: string;
  notLoaded: string;
}

export interface SwitchedFeature<Opened> {
  /** The frames that turn it on and off. */
  kind: 'sound' | 'printing';
  /** `name` is what it is called on the device, if it has a name there. */
  texts: {
    label: string;
    turnOn: string;
    starting: string;
    /** While the connection is lost. */
    waiting: string;
    turnOff(name: string): string;
    started?(name: string): string;
  };
  page?: PagePart<Opened>;
}

/** `waiting`: for the connection. `opening`: what the page needs. `asked`: the device has not replied yet. */
type Phase = 'off' | 'waiting' | 'opening' | 'asked' | 'on';

interface State<Opened> {
  feature: SwitchedFeature<Opened>;
  options: DeviceSwitchOptions;
  phase: Phase;
  name: string;
  /** Why it was not possible the last time. */
  whyNot: string | undefined;
  /** Counts how often it ended, so that what an earlier attempt began does not count for a later one. */
  attempt: number;
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
  const initial = { phase: 'off', name: '', whyNot: undefined, attempt: 0, opened: undefined } as const;
  const state: State<Opened> = { feature, options, ...initial };
  session.on(kind, (reply) => takeReply(state, reply));
  session.on('refused', (refusal) => refusal.kind === kind && setPhase(state, 'off', refusal.message));
  session.onChange(() => followConnection(state));
  return {
    isOffered: () => mayUse(session, kind),
    look: () => lookOf(state),
    toggle: () => (state.phase === 'off' ? turnOn(state) : stop(state)),
    opened: () => (state.phase === 'on' ? state.opened : undefined),
  };
}

function lookOf({ feature: { texts, page }, phase, name, whyNot }: State<unknown>): IconButtonState {
  const { label } = texts;
  if (page && !page.isPossible) return { title: texts.turnOn, label, unable: page.whyNot };
  const { starting, waiting } = texts;
  const off = whyNot ? `${texts.turnOn}: ${whyNot}` : texts.turnOn;
  const title = { off, waiting, opening: starting, asked: starting, on: texts.turnOff(name) }[phase];
  return { title, label, isOn: phase === 'on' };
}

function setPhase(state: State<Closable>, phase: Phase, whyNot?: string): void {
  [state.phase, state.whyNot] = [phase, whyNot];
  if (phase === 'off' || phase === 'waiting') {
    state.attempt += 1;
    state.opened?.close();
    state.opened = undefined;
  }
  state.options.changed();
}

function stop(state: State<Closable>, whyNot?: string): void {
  state.options.session.send(state.feature.kind, { on: false });
  setPhase(state, 'off', whyNot);
}

function takeReply(
  state: State<Closable>,
  { on, printer = '', message }: { on: boolean; printer?: string | undefined; message?: string | undefined },
): void {
  const { feature, options, phase } = state;
  // Before this attempt has asked, it replies to an earlier one.
  if (phase !== 'asked' && phase !== 'on') return;
  if (on && phase === 'asked') {
    state.name = printer;
    setPhase(state, 'on');
    if (feature.texts.started) options.show(feature.texts.started(printer));
  }
  // Without a message it replies to the operator, who may have turned it on again since.
  if (on || !message) return;
  setPhase(state, 'off', message);
  options.show(message, 'bad');
}

function turnOn(state: State<Closable>): void {
  const { phase } = state.options.session.state;
  if (phase === 'live') void start(state);
  else if (phase !== 'ended') setPhase(state, 'waiting');
}

async function start(state: State<Closable>): Promise<void> {
  const { feature, options } = state;
  setPhase(state, 'opening');
  if (feature.page && !(await openInPage(state, feature.page))) return;
  setPhase(state, 'asked');
  options.session.send(feature.kind, { on: true });
}

/** Resolves with false if it has failed, or is not wanted any more. */
async function openInPage(state: State<Closable>, page: PagePart<Closable>): Promise<boolean> {
  const { attempt } = state;
  const isCurrent = (): boolean => state.attempt === attempt;
  const fail = (whyNot: string): void => {
    if (!isCurrent()) return;
    stop(state, whyNot);
    state.options.show(whyNot, 'bad');
  };
  const opened = await page.open(() => fail(page.whyNot)).catch(() => fail(page.notLoaded));
  if (opened && isCurrent()) state.opened = opened;
  else opened?.close();
  return opened !== undefined && isCurrent();
}

/** The device does not know of the earlier connection, so it is asked again. */
function followConnection(state: State<Closable>): void {
  const { session } = state.options;
  const { phase } = session.state;
  if (state.phase === 'off') return;
  if (phase === 'ended' || (phase === 'live' && !mayUse(session, state.feature.kind))) setPhase(state, 'off');
  else if (phase !== 'live' && state.phase !== 'waiting') setPhase(state, 'waiting');
  else if (phase === 'live' && state.phase === 'waiting') void start(state);
}
