/** Values that are there at once or later, so that work that need not wait does not pay for promises. */

export type MaybePromise<Value> = Value | Promise<Value>;

/** Applies a function to a value as soon as it is there: at once, or when its promise resolves. */
export const chain = <Value, Result>(
  value: MaybePromise<Value>,
  apply: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(apply) : apply(value));

/** Does work that may throw at once or later. Returns what `onError` makes of an error. */
export function rescue<Value>(
  work: () => MaybePromise<Value>,
  onError: (error: unknown) => Value,
): MaybePromise<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}
