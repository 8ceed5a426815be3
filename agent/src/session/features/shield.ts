/** The black screen: the person at the device sees nothing and can do nothing while the operator works; it ends with the session. */
import { decodeMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import { NotPossible, type Platform } from '../../platform/platform.ts';
import { malformed } from '../malformed-frame.ts';
import type { FeatureFactory } from '../feature.ts';

export const shieldFeature: FeatureFactory = (context) => {
  let lower: (() => Promise<void>) | undefined;
  /** One after the other: a shield that is being raised is not raised again. */
  let queue: Promise<void> = Promise.resolve();

  const demandOwn = (): void => {
    const whyNot = context.shield.whyNot();
    if (whyNot !== undefined) throw new NotPossible(whyNot);
  };
  const raise = async (): Promise<void> => {
    demandOwn();
    if (lower) return;
    context.shield.take();
    const { desktop, undo } = await blackOut(context.platform).catch((error: unknown) => {
      context.shield.announce(false);
      throw error;
    });
    const over = (): void => {
      if (!lower) return;
      lower = undefined;
      desktop.close();
      context.shield.announce(false);
    };
    lower = () => undo().finally(over);
    // Whoever logs in next sees their screen, and the operator is told so.
    desktop.onClose(over);
    context.shield.announce(true);
    context.log(`${context.operator.name} blacked out the screen`);
  };
  const drop = async (): Promise<void> => {
    demandOwn();
    await lower?.();
  };
  const next = (work: () => Promise<void> | undefined): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };

  return {
    handlers: {
      shield(payload) {
        const { on } = decodeMessage('shield', payload) ?? malformed('shield');
        return next(on ? raise : drop);
      },
    },
    stop: () => next(() => lower?.()),
  };
};

async function blackOut(platform: Platform): Promise<{ desktop: Desktop; undo: () => Promise<void> }> {
  const desktop = await platform.desktop();
  try {
    return { desktop, undo: await desktop.shield() };
  } catch (error) {
    desktop.close();
    throw error;
  }
}
