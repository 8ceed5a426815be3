/** Turns errors of a playback into a text, and says whether a retry may succeed. */
import { CorruptRecording } from './chunk-reader.ts';
import { playerTexts } from './texts.ts';

/** The server responded with an error status. */
export class RequestFailed extends Error {
  readonly http: number;

  constructor(http: number) {
    super(`answered ${http}`);
    this.http = http;
  }
}

export interface PlaybackError {
  text: string;
  isTransient: boolean;
}

export function toPlaybackError(error: unknown): PlaybackError {
  if (error instanceof CorruptRecording) return { text: playerTexts.broken, isTransient: false };
  if (!(error instanceof RequestFailed)) return { text: playerTexts.unreachable, isTransient: true };
  if (error.http === 404) return { text: playerTexts.gone, isTransient: false };
  return { text: error.http === 429 ? playerTexts.busy : playerTexts.trouble, isTransient: true };
}
