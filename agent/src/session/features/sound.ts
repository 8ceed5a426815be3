/** The sound of the device, sent while the operator wants it. The person at the device sees that in the banner. */
import { NotPossible } from '../../platform/platform.ts';
import { openOpusEncoder } from '../../sound/opus.ts';
import { sendPackets } from '../../sound/send-packets.ts';
import { consentSeconds } from '../consent.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { shortenName } from '../plain-text.ts';

const notAllowed = 'The policy of this device does not allow operators to hear its sound.';

interface State {
  context: FeatureContext;
  /** Aborted when the sound must end; undefined while it is off. */
  running: AbortController | undefined;
  isOpening: boolean;
}

export const soundFeature: FeatureFactory = (context) => {
  const state: State = { context, running: undefined, isOpening: false };
  return {
    handlers: {
      sound({ on }) {
        if (on) return turnOn(state);
        turnOff(state);
        context.send('sound', { on: false });
      },
    },
    policyChanged() {
      if (context.policy.sound === 'off') endWith(state, notAllowed);
    },
    stop: () => turnOff(state),
  };
};

/** One attempt at a time: an operator who turns it on and off quickly must not start many programs on the device. */
async function turnOn(state: State): Promise<void> {
  if (state.context.policy.sound === 'off') throw new NotPossible(notAllowed);
  if (state.running) return;
  state.running = new AbortController();
  if (state.isOpening) return;
  state.isOpening = true;
  try {
    while (state.running && !(await isOpened(state, state.running.signal)));
  } finally {
    state.isOpening = false;
  }
}

/** Resolves with false if the operator has turned it off meanwhile, and perhaps on again. */
async function isOpened(state: State, signal: AbortSignal): Promise<boolean> {
  const { context } = state;
  const onEnd = (): void => {
    if (!signal.aborted) endWith(state, 'The sound of the device has ended.');
  };
  try {
    const opened = await open(context, signal, onEnd);
    if (signal.aborted) opened?.dispose();
    else {
      signal.addEventListener('abort', () => opened?.dispose());
      context.send('sound', { on: true });
    }
  } catch (error) {
    if (!signal.aborted) {
      turnOff(state);
      throw error;
    }
  }
  return !signal.aborted;
}

function turnOff(state: State): void {
  state.running?.abort();
  state.running = undefined;
}

function endWith(state: State, message: string): void {
  if (!state.running) return;
  turnOff(state);
  state.context.send('sound', { on: false, message });
}

/** Shows the line in the banner before the first sound is sent. Resolves with undefined if it is no longer wanted. */
async function open(
  context: FeatureContext,
  signal: AbortSignal,
  onEnd: () => void,
): Promise<DisposableStack | undefined> {
  using held = new DisposableStack();
  await askPerson(context, signal);
  if (signal.aborted) return undefined;
  const notice = await context.showNotice(
    `${shortenName(context.operator.name)} hears the sound of this computer`,
  );
  held.defer(notice.leave);
  if (notice.whyNot !== undefined) throw new NotPossible(notice.whyNot);
  const sound = held.adopt(await context.platform.sound(), (each) => each.close());
  const encoder = await openOpusEncoder();
  if (!encoder) throw new NotPossible('The sound cannot be sent: libopus is not installed on the device.');
  held.defer(encoder.close);
  sound.onEnd(onEnd);
  if (!signal.aborted) sendPackets(context, sound, encoder, signal);
  return held.move();
}

/** The person who was asked before the session is asked about the sound too. */
async function askPerson({ isConfirmed, operator, ask }: FeatureContext, signal: AbortSignal): Promise<void> {
  if (
    isConfirmed &&
    !(await ask(`${operator.name} wants to hear the sound of this computer`, consentSeconds, signal))
  )
    throw new NotPossible('The person at the device did not agree to send its sound.');
}
