/** The sound of the device, sent while the operator wants it. The person at the device sees that in the banner. */
import { NotPossible } from '../../platform/platform.ts';
import { openOpusEncoder } from '../../sound/opus.ts';
import { sendPackets } from '../../sound/send-packets.ts';
import { consentSeconds } from '../consent.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { shortenName } from '../plain-text.ts';
import { createOperatorSwitch } from './operator-switch.ts';

const notAllowed = 'The policy of this device does not allow operators to hear its sound.';

const ended = 'The sound of the device has ended.';

export const soundFeature: FeatureFactory = (context) => {
  const sound = createOperatorSwitch(async (signal) => {
    const opened = await open(context, signal, (why) => {
      if (!signal.aborted) endWith(why);
    });
    if (signal.aborted) return opened?.dispose();
    signal.addEventListener('abort', () => opened?.dispose());
    context.send('sound', { on: true });
  });
  const endWith = (message: string): void => {
    if (!sound.isOn()) return;
    sound.turnOff();
    context.send('sound', { on: false, message });
  };
  return {
    handlers: {
      sound({ on }) {
        if (on) {
          if (context.policy.sound === 'off') throw new NotPossible(notAllowed);
          return sound.turnOn();
        }
        sound.turnOff();
        context.send('sound', { on: false });
      },
    },
    policyChanged() {
      if (context.policy.sound === 'off') endWith(notAllowed);
    },
    stop: sound.turnOff,
  };
};

/** Shows the line in the banner before the first sound is sent. Resolves with undefined if it is no longer wanted. */
async function open(
  context: FeatureContext,
  signal: AbortSignal,
  onEnd: (why: string) => void,
): Promise<DisposableStack | undefined> {
  using held = new DisposableStack();
  await askPerson(context, signal);
  if (signal.aborted) return undefined;
  const notice = await context.showNotice(
    `${shortenName(context.operator.name)} hears the sound of this computer`,
  );
  held.defer(notice.leave);
  if (notice.whyNot !== undefined) throw new NotPossible(notice.whyNot);
  // The sound is that of the person whose desktop is shown, and who sees the line.
  const desktop = held.adopt(await context.platform.desktop(), (each) => each.close());
  desktop.onClose((why = '') => onEnd(`${why} ${ended}`.trim()));
  const sound = held.adopt(await context.platform.sound(), (each) => each.close());
  const encoder = await openOpusEncoder();
  if (!encoder) throw new NotPossible('The sound cannot be sent: libopus is not installed on the device.');
  held.defer(encoder.close);
  sound.onEnd(() => onEnd(ended));
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
