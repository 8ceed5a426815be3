/** What can keep a recording from being shown: in words, and whether another try may find it gone. */
import { CorruptRecording } from './chunk-reader.ts';
import { texts } from './texts.ts';

/** The server answers, and does not give it. */
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
  if (error instanceof CorruptRecording) return { text: texts.broken, isTransient: false };
  if (!(error instanceof RequestFailed)) return { text: texts.unreachable, isTransient: true };
  if (error.http === 404) return { text: texts.gone, isTransient: false };
  return { text: error.http === 429 ? texts.busy : texts.trouble, isTransient: true };
}
