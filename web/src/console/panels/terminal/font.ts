/** The font of terminals, and the space that a number of columns needs. */

export const terminalFont = {
  family: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace',
  size: 13,
} as const;

/** The scroll bar of the terminal, the space around its text, and the border of the panel, in pixels. */
const surroundings = 14 + 2 * 6 + 2;

/** The width of a terminal with this many columns, in pixels. */
export function widthOfColumns(columns: number): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = `${terminalFont.size}px ${terminalFont.family}`;
  return Math.ceil(context.measureText('W').width * columns) + surroundings;
}
