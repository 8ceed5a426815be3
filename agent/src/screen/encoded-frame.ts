/** The result of encoding one change of the screen. */
import type { CopyRect, Tile, VideoUpdate } from '@drawbridge/contract/session/screen-frames';

/** The operator draws the parts in this order. */
export interface Encoded {
  copies: CopyRect[];
  tiles: Tile[];
  video?: Omit<VideoUpdate, 'number'>;
}
