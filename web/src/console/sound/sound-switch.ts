/** Turns the sound of the device on and off. It is off at first, and returns after a lost connection. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import type { IconButtonState } from '../../ui/button.ts';
import type { Notices } from '../../ui/notices.ts';
import { mayUse } from '../offers.ts';
import { consoleTexts } from '../texts.ts';
import { canPlaySound, openSoundPlayer, type SoundPlayer } from './sound-player.ts';

const { sound: texts } = consoleTexts;

export interface SoundSwitch {
  isOffered(): boolean;
  /** How the button looks. */
  look(): IconButtonState;
  toggle(): void;
}

export interface SoundSwitchOptions {
  session: RemoteSession;
  show: Notices['show'];
  changed(): void;
}

interface State {
  options: SoundSwitchOptions;
  phase: 'off' | 'starting' | 'on';
  /** Why it was not possible the last time. */
  whyNot: string | undefined;
  /** The operator wants it, also while the connection is lost. */
  isWanted: boolean;
  wasLive: boolean;
  player: SoundPlayer | undefined;
}

export function createSoundSwitch(options: SoundSwitchOptions): SoundSwitch {
  const { session, show } = options;
  const state: State = {
    options,
    phase: 'off',
    whyNot: undefined,
    isWanted: false,
    wasLive: false,
    player: undefined,
  };
  session.on('sound', ({ on, message }) => {
    if (on && state.phase === 'starting') setPhase(state, 'on');
    // Without a message it replies to the operator, who may have turned the sound on again since.
    if (on || !message || !state.isWanted) return;
    turnOff(state, message);
    show(message, 'bad');
  });
  session.on('sound_bytes', (packet) => state.phase === 'on' && state.player?.play(packet));
  session.on('refused', ({ kind, message }) => kind === 'sound' && turnOff(state, message));
  session.onChange(() => followConnection(state));
  return {
    isOffered: () => mayUse(session, 'sound'),
    look: () => lookOf(state),
    toggle: () => (state.isWanted ? stop(state) : void start(state)),
  };
}

function lookOf({ phase, whyNot }: State): IconButtonState {
  if (!canPlaySound()) return { title: texts.turnOn, label: texts.label, unable: texts.notPlayed };
  const turnOn = whyNot ? `${texts.turnOn}: ${whyNot}` : texts.turnOn;
  const title = { off: turnOn, starting: texts.starting, on: texts.turnOff }[phase];
  return { title, label: texts.label, pressed: phase === 'on' };
}

function setPhase(state: State, phase: State['phase'], whyNot?: string): void {
  [state.phase, state.whyNot] = [phase, whyNot];
  if (phase === 'off') {
    state.player?.close();
    state.player = undefined;
  }
  state.options.changed();
}

function turnOff(state: State, whyNot?: string): void {
  state.isWanted = false;
  setPhase(state, 'off', whyNot);
}

function stop(state: State): void {
  state.options.session.send('sound', { on: false });
  turnOff(state);
}

/** The browser plays sound only if it is opened by a press, so it is opened before the device is asked. */
async function start(state: State): Promise<void> {
  const { session, show } = state.options;
  const fail = (message: string): void => {
    session.send('sound', { on: false });
    turnOff(state, message);
    show(message, 'bad');
  };
  state.isWanted = true;
  setPhase(state, 'starting');
  const player = await openSoundPlayer(() => fail(texts.notPlayed)).catch(() => undefined);
  if (!player) return fail(texts.notPlayed);
  if (state.phase !== 'starting' || state.player) return player.close();
  state.player = player;
  session.send('sound', { on: true });
}

/** The device does not know of the earlier connection, so it is asked again. */
function followConnection(state: State): void {
  const { session } = state.options;
  const isLive = session.state.phase === 'live';
  const [isLost, isBack] = [state.wasLive && !isLive, isLive && !state.wasLive];
  state.wasLive = isLive;
  if (isLost) setPhase(state, 'off');
  if (isBack && state.isWanted) void start(state);
  else if (isLive && state.isWanted && !mayUse(session, 'sound')) turnOff(state);
}
