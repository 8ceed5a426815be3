/** The texts about files that the operator drags out of the picture. */

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

export const dragOutTexts = {
  letGo: (count: number) => `Let go to save ${files(count)} on your computer`,
  tooEarly:
    'You let go before the device was ready. Drag the files again, and wait until this page tells you to let go.',
  leftOut: (count: number) => `${files(count)} could not be read on the device.`,
};
