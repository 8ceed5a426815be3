/** The interface of a font that a painter draws text with. */

export interface TextColours {
  foreground: number;
  background: number;
}

export interface TextRenderer {
  height: number;
  widthOf(text: string): number;
  /** `y` is the top of the letters. */
  write(window: number, colours: TextColours, at: { x: number; y: number }, text: string): void;
  close(): void;
}
