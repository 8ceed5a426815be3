/** The interface of the agent's own windows, such as the banner. One folder per operating system implements it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

export interface PaneButton extends Box {
  label: string;
  colour: number;
  press(): void;
}

/** A key that was pressed in a pane: one that types a character, or one of these. */
export type PaneKey = { character: string } | { name: 'Enter' | 'Backspace' | 'Escape' };

export interface PaneShape extends Box {
  /** The name for programs that list windows. */
  title: string;
  /** The person types into it. */
  hasInput?: boolean;
  /** The person must answer it, so no other window of the agent is raised above it. */
  isQuestion?: boolean;
  /** Its size follows from its text. Where windows may have any size, it is shown only when it is placed. */
  isPlacedLater?: boolean;
}

/** A window of the agent with text and buttons. It stays above the windows of other programs. */
export interface Pane {
  lineHeight: number;
  widthOf(text: string): number;
  /** Splits the text into lines that are no wider than this; longer words are split. */
  wrap(text: string, width: number): string[];
  fill(colour: number, box: Box): void;
  /** `y` is the top of the line. */
  write(colours: PaneTextColours, at: { x: number; y: number }, text: string): void;
  place(box: Box): void;
  /** How long the whole window has been visible; 0 while something covers it. */
  visibleMs(): number;
  /** Replaces the buttons. */
  setButtons(buttons: readonly PaneButton[]): void;
  redraw(): void;
  onKey(listener: (key: PaneKey) => void): void;
  onPress(listener: () => void): void;
  /** Directs the keyboard to this window. */
  focus(): void;
  /** Gives the keyboard back if a click into another window may not take it away. */
  blur(): void;
  close(): void;
}

interface PaneTextColours {
  foreground: number;
  background: number;
}

/** The screen on which the agent shows its windows. */
export interface PaneScreen {
  mainMonitor(): Promise<Box>;
  /** Calls the listener with the main monitor whenever it may have changed; the returned function unsubscribes. */
  watchMainMonitor(listener: (monitor: Box) => void): () => void;
  /** `draw` is called whenever the content may have been lost. */
  openPane(shape: PaneShape, draw: (pane: Pane) => void): Promise<Pane>;
  onClose(listener: () => void): void;
}

export const paneColours = {
  background: 0x1f2937,
  field: 0x374151,
  line: 0x4b5563,
  foreground: 0xf9fafb,
  faint: 0x9ca3af,
  red: 0xdc2626,
  green: 0x15803d,
} as const;

/** The button at this position. */
export const buttonAt = (buttons: readonly PaneButton[], x: number, y: number): PaneButton | undefined =>
  buttons.find((box) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height);

export function drawButton(
  pane: Pick<Pane, 'fill' | 'write' | 'widthOf' | 'lineHeight'>,
  button: PaneButton,
): void {
  const { label, colour, ...box } = button;
  pane.fill(colour, box);
  const x = box.x + Math.floor((box.width - pane.widthOf(label)) / 2);
  const y = box.y + Math.floor((box.height - pane.lineHeight) / 2);
  pane.write({ foreground: paneColours.foreground, background: colour }, { x, y }, label);
}
