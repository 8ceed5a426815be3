/** Draws pictures strictly in the order in which they came, although they are decoded side by side. */

/** What is left to do once a picture is decoded; undefined when there is nothing to draw. */
export type Draw = (() => void) | undefined;

export interface PictureQueue {
  /** `shown` is called when the picture is on the canvas, or will never be. */
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
      // Looked at only when its turn comes: until then its failure is nobody's.
      decoded.catch(() => {});
      last = draw(last, decoded, shown);
    },
  };
}
