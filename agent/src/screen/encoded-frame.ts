/** The result of encoding one change of the screen. */
import type { Box, CopyRect, Tile } from '@drawbridge/contract/session/screen-frames';

/** The operator draws the parts in this order. */
export interface Encoded {
  copies: CopyRect[];
  tiles: Tile[];
  video?: { key: boolean; boxes: Box[]; data: Uint8Array };
}
