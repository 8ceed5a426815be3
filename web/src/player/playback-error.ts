/** The error of the player: a text for the person, and whether a retry may succeed. */
import { playerTexts } from './texts.ts';

export class PlaybackError extends Error {
  readonly isTransient: boolean;

  constructor(text: string, isTransient: boolean) {
    super(text);
    this.isTransient = isTransient;
  }
}

/** The recording was changed, or a part of it is missing. */
export const corruptRecording = (): PlaybackError => new PlaybackError(playerTexts.broken, false);

/** The server responded with an error status. */
export const requestFailed = (http: number): PlaybackError =>
  http === 404
    ? new PlaybackError(playerTexts.gone, false)
    : new PlaybackError(http === 429 ? playerTexts.busy : playerTexts.trouble, true);

/** Other errors come from the network. */
export const toPlaybackError = (error: unknown): PlaybackError =>
  error instanceof PlaybackError ? error : new PlaybackError(playerTexts.unreachable, true);
