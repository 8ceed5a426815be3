/** Collects what has been opened so far, and closes it in reverse order. */
type Close = () => Promise<void> | void;

export interface CloseStack {
  push(...more: Close[]): void;
  closeAll(): Promise<void>;
}

export const createCloseStack = (...closing: Close[]): CloseStack => ({
  push: (...more) => void closing.push(...more),
  async closeAll() {
    for (const close of closing.toReversed()) await close();
  },
});
