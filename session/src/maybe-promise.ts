/** Values that are there at once in Node and later in browsers, so that Node does not pay for promises. */

export type MaybePromise<Value> = Value | Promise<Value>;

/** Applies a function to a value as soon as it is there: at once, or when its promise resolves. */
export const chain = <Value, Result>(
  value: MaybePromise<Value>,
  apply: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(apply) : apply(value));
