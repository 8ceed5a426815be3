/** Breaks text into lines. */

/** Splits the text into lines that are no wider than this; longer words are split. */
export const wrapText = (text: string, width: number, widthOf: (text: string) => number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, width, widthOf));

function wrapLine(line: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (widthOf(longer) <= width) {
      current = longer;
      continue;
    }
    if (current !== '') lines.push(current);
    current = word;
    while (widthOf(current) > width && current.length > 1) {
      const fits = Math.max(1, Math.floor((current.length * width) / widthOf(current)));
      lines.push(current.slice(0, fits));
      current = current.slice(fits);
    }
  }
  return [...lines, current];
}
