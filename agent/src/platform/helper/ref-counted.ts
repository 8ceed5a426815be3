/** A shared connection with a reference count: the first user opens it, and the last one closes it. */
export interface Closable {
  onClose(listener: () => void): void;
  close(): void;
}

export interface SharedRef<Value> {
  value: Value;
  release(): void;
}

/** After a failure, or when the connection is lost or closed, the next caller opens a new one. */
export function refCounted<Value extends Closable>(
  open: () => Promise<Value>,
): () => Promise<SharedRef<Value>> {
  let current: { opening: Promise<Value>; holders: number } | undefined;
  const begin = (): NonNullable<typeof current> => {
    const forget = (): void => {
      if (current?.opening === opening) current = undefined;
    };
    const opening = open().then(
      (value) => (value.onClose(forget), value),
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return { opening, holders: 0 };
  };
  return async () => {
    const own = (current ??= begin());
    own.holders += 1;
    const value = await own.opening;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      own.holders -= 1;
      if (own.holders > 0) return;
      // It may take a while until it has closed, and then serves nobody any more.
      if (current === own) current = undefined;
      value.close();
    };
    return { value, release };
  };
}
