/** Runs work of the bus that must not fail for its caller: sending a message, and handing it to a subscriber. */

/** Reports a message that could not be sent, or that a subscriber could not handle. */
export type OnBusFailure = (error: unknown) => void;

export function runAndReport(work: () => void, onFailure: OnBusFailure): void {
  try {
    work();
  } catch (error) {
    onFailure(error);
  }
}
