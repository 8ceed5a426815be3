/** What the operator turns on and off, such as the sound: one attempt to open it at a time. */

export interface OperatorSwitch {
  /** Whether it is on, or being opened. */
  isOn(): boolean;
  /** Resolves when it is open, or no longer wanted. */
  turnOn(): Promise<void>;
  turnOff(): void;
}

interface State {
  /** Aborted when it must end; undefined while it is off. */
  running: AbortController | undefined;
  isOpening: boolean;
}

/** An operator who turns it on and off quickly must not start many programs on the device. `open` ends what it has opened when the signal is aborted. */
export function createOperatorSwitch(open: (signal: AbortSignal) => Promise<void>): OperatorSwitch {
  const state: State = { running: undefined, isOpening: false };
  const turnOff = (): void => {
    state.running?.abort();
    state.running = undefined;
  };
  /** Resolves with false if the operator has turned it off meanwhile, and perhaps on again. */
  const isOpened = async (signal: AbortSignal): Promise<boolean> => {
    try {
      await open(signal);
    } catch (error) {
      if (!signal.aborted) {
        turnOff();
        throw error;
      }
    }
    return !signal.aborted;
  };
  return {
    isOn: () => state.running !== undefined,
    turnOff,
    async turnOn() {
      if (state.running) return;
      state.running = new AbortController();
      if (state.isOpening) return;
      state.isOpening = true;
      try {
        while (state.running && !(await isOpened(state.running.signal)));
      } finally {
        state.isOpening = false;
      }
    },
  };
}
