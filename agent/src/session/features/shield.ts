/** The black screen: while the operator works, the person at the device sees nothing and has no input. It ends with the session. */
import type { Desktop } from '../../platform/desktop.ts';
import { NotPossible, type Platform } from '../../platform/platform.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';

interface State {
  context: FeatureContext;
  /** Removes the black screen; undefined while there is none. */
  lower: (() => Promise<void>) | undefined;
  /** Requests run one after the other, so that the shield is never raised twice. */
  queue: Promise<void>;
}

export const shieldFeature: FeatureFactory = (context) => {
  const state: State = { context, lower: undefined, queue: Promise.resolve() };
  return {
    handlers: {
      shield(payload) {
        const { on } = payload;
        return enqueue(state, () => (on ? raise(state) : drop(state)));
      },
    },
    stop: () => enqueue(state, () => state.lower?.()),
  };
};

function enqueue(state: State, work: () => Promise<void> | undefined): Promise<void> {
  const done = state.queue.then(work);
  state.queue = done.catch(() => {});
  return done;
}

async function raise(state: State): Promise<void> {
  const { context } = state;
  requireOwn(context);
  if (state.lower) return;
  context.shield.take();
  const { desktop, undo } = await blackOut(context.platform).catch((error: unknown) => {
    context.shield.announce(false);
    throw error;
  });
  const onLowered = (): void => {
    if (!state.lower) return;
    state.lower = undefined;
    desktop.close();
    context.shield.announce(false);
  };
  state.lower = () => undo().finally(onLowered);
  // The next person who logs in sees their screen, and the operator is told so.
  desktop.onClose(onLowered);
  context.shield.announce(true);
  context.log(`${context.operator.name} blacked out the screen`);
}

async function drop(state: State): Promise<void> {
  requireOwn(state.context);
  await state.lower?.();
}

function requireOwn({ shield }: FeatureContext): void {
  const whyNot = shield.whyNot();
  if (whyNot !== undefined) throw new NotPossible(whyNot);
}

async function blackOut(platform: Platform): Promise<{ desktop: Desktop; undo: () => Promise<void> }> {
  const desktop = await platform.desktop();
  try {
    return { desktop, undo: await desktop.shield() };
  } catch (error) {
    desktop.close();
    throw error;
  }
}
