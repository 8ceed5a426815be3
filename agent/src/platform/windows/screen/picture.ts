/** What the agent knows of the screen: its pixels, and how they are brought up to date. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

export interface DesktopPicture extends Pick<Box, 'width' | 'height'> {
  /** The pixels, blue in the lowest byte, without padding between the rows. */
  words: Uint32Array;
  bytes: Buffer;
}

export interface PictureUpdater {
  /** Brings the picture up to date, and returns where it changed. Rejects if it cannot do that any more. `isUrgent`: all of it, without waiting for a change. */
  update(isUrgent: boolean): Promise<Box[]>;
  /** How long to wait before the next update. */
  pauseMs(): number;
  /** Not during an update. */
  close(): void;
}
