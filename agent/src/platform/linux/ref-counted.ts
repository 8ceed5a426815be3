/** One connection for all who need it at a time: whoever comes first opens it, and whoever leaves last closes it. */
export interface Closable {
  onClose(listener: () => void): void;
  close(): void;
}

export interface SharedRef<What> {
  value: What;
  release(): void;
}

/** After a failure, or when what was opened is gone, the next one opens anew. */
export function refCounted<What extends Closable>(open: () => Promise<What>): () => Promise<SharedRef<What>> {
  let current: { opening: Promise<What>; holders: number } | undefined;
  return async () => {
    const own = (current ??= { opening: open(), holders: 0 });
    const forget = (): void => {
      if (current === own) current = undefined;
    };
    own.holders += 1;
    const value = await own.opening.catch((error: unknown) => {
      forget();
      throw error;
    });
    value.onClose(forget);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      own.holders -= 1;
      if (own.holders === 0) value.close();
    };
    return { value, release };
  };
}
