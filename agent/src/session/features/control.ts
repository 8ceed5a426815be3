/** Mouse and keyboard: replays the operator's input at the same position on the device's screen. */
import type { Desktop, DesktopInput } from '../../platform/desktop.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { operatorPointerOf, updatePointer, type OperatorPointer } from '../operator-pointer.ts';
import { viewOffsetOf, type ViewOffset } from '../view-offset.ts';

interface State {
  context: FeatureContext;
  view: ViewOffset;
  /** Grows with every release, so that events from before it are recognized. */
  releases: number;
  opening: Promise<OpenedInput> | undefined;
  pointer: OperatorPointer;
}

interface OpenedInput {
  desktop: Desktop;
  input: DesktopInput;
}

export const controlFeature: FeatureFactory = (context) => {
  const view = viewOffsetOf(context);
  const pointer = operatorPointerOf(context);
  const state: State = { context, view, releases: 0, opening: undefined, pointer };
  return {
    handlers: {
      pointer(payload) {
        const { x, y, buttons } = payload;
        return withInput(state, (input) => movePointer(state, input, { x, y, buttons }));
      },
      wheel(payload) {
        const { x, y, deltaX, deltaY } = payload;
        return withInput(state, (input) => {
          movePointer(state, input, { x, y, buttons: pointer.buttons });
          input.wheel(deltaX, deltaY);
        });
      },
      key(payload) {
        const { down, code, key } = payload;
        return withInput(state, (input) => input.key(down, code, key));
      },
      text(payload) {
        const { text } = payload;
        return withInput(state, (input) => input.text(text));
      },
    },
    releaseInput: () => releaseInput(state),
    async stop() {
      const opened = await state.opening?.catch(() => undefined);
      opened?.input.close();
      opened?.desktop.close();
    },
  };
};

/** Does nothing if the input was released after the event was received, however long the display takes to open. */
async function withInput(state: State, work: (input: DesktopInput) => void): Promise<void> {
  const { releases } = state;
  state.opening ??= open(state);
  try {
    const { input } = await state.opening;
    if (releases === state.releases) work(input);
  } catch (error) {
    state.opening = undefined;
    throw error;
  }
}

async function open(state: State): Promise<OpenedInput> {
  const desktop = await state.context.platform.desktop();
  // After the person has logged out, the next desktop is used.
  desktop.onClose(() => void (state.opening = undefined));
  try {
    return { desktop, input: await desktop.input() };
  } catch (error) {
    desktop.close();
    throw error;
  }
}

function movePointer(
  { pointer, view }: State,
  input: DesktopInput,
  { x, y, buttons }: Pick<OperatorPointer, 'x' | 'y' | 'buttons'>,
): void {
  updatePointer(pointer, { x: x + view.offsetX, y: y + view.offsetY, buttons });
  input.pointer(pointer.x, pointer.y, buttons);
}

function releaseInput(state: State): void {
  state.releases += 1;
  updatePointer(state.pointer, { ...state.pointer, buttons: 0 });
  if (state.opening) void withInput(state, (input) => input.reset()).catch(() => {});
}
