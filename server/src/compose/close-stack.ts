/** Collects what has been opened so far, and closes it in reverse order. */
type Close = () => Promise<void> | void;

export interface CloseStack {
  push(...more: Close[]): void;
  /** Closes everything, also after failures, and then rejects with the first of them. */
  closeAll(): Promise<void>;
}

export const createCloseStack = (...closing: Close[]): CloseStack => ({
  push: (...more) => void closing.push(...more),
  async closeAll() {
    const failures: unknown[] = [];
    for (const close of closing.toReversed())
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  },
});
