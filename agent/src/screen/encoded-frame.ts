/** A frame that an encoder has produced. */
import type { Box, CopyRect, Tile } from '@drawbridge/contract/session/screen-frames';

/** What the operator is to draw, in this order. */
export interface Encoded {
  copies: CopyRect[];
  tiles: Tile[];
  video?: { key: boolean; boxes: Box[]; data: Uint8Array };
}
