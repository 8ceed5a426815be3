/** What the server tells a player of a recording. */
import * as z from 'zod';
import { list } from '../list.ts';

export const recordingIndex = z.object({
  session: z.int().min(1),
  /** Of the device, or of the client's invitation. */
  name: z.string(),
  operator: z.string(),
  start: z.int(),
  /** One after the other: what was recorded between two cuts is one of them. */
  takes: list(
    z.object({
      id: z.int().min(1),
      /** Opens the chunks; base64url. */
      key: z.base64url().length(43),
      /** The last chunk has arrived: nothing is missing at the end. */
      complete: z.boolean(),
      chunks: list(
        z.object({
          /** Milliseconds since the take began. */
          from: z.int().min(0),
          to: z.int().min(0),
          size: z.int().min(0),
          /** SHA-256 of the chunk as it is stored, base64url. */
          digest: z.string(),
          /** Begins with a whole picture. */
          whole: z.boolean(),
        }),
        { max: 1_000_000 },
      ),
    }),
    { max: 10_000 },
  ),
});
export type RecordingIndex = z.output<typeof recordingIndex>;

/** The page that plays; below `data` the index, and below that each chunk as `<take>/<number>`. */
export const playerPaths = { page: '/r', data: '/recording', upload: '/recording-upload' } as const;
