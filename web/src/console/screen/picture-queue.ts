/** Draws pictures in the order in which they arrived, although they are decoded concurrently. */

/** Draws a decoded picture; undefined when there is nothing to draw. */
export type Draw = (() => void) | undefined;

export interface PictureQueue {
  /** `shown` is called when the picture is on the canvas or has failed. */
  add(decoded: Promise<Draw>, shown: () => void): void;
}

export function createPictureQueue(failed: (error: unknown) => void): PictureQueue {
  let last: Promise<void> = Promise.resolve();
  const draw = async (before: Promise<void>, decoded: Promise<Draw>, shown: () => void): Promise<void> => {
    await before;
    try {
      (await decoded)?.();
    } catch (error) {
      failed(error);
    }
    shown();
  };
  return {
    add(decoded, shown) {
      // A failure is handled when its turn comes; without this it would be an unhandled rejection until then.
      decoded.catch(() => {});
      last = draw(last, decoded, shown);
    },
  };
}
