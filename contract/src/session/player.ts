/** The index of a recording, which the server sends to the player. */
import * as z from 'zod';
import { list } from '../list.ts';

export const recordingIndex = z.object({
  session: z.int().min(1),
  /** Name of the device, or of the client in an invitation. */
  name: z.string(),
  operator: z.string(),
  start: z.int(),
  /** In order of time; each take is a part without interruption. */
  takes: list(
    z.object({
      id: z.int().min(1),
      /** Decrypts the chunks; base64url. */
      key: z.base64url().length(43),
      /** The last chunk has arrived, so nothing is missing at the end. */
      complete: z.boolean(),
      chunks: list(
        z.object({
          /** Milliseconds since the start of the take. */
          from: z.int().min(0),
          to: z.int().min(0),
          size: z.int().min(0),
          /** SHA-256 of the chunk as stored, base64url. */
          digest: z.string(),
          /** Starts with a full image. */
          whole: z.boolean(),
        }),
        { max: 1_000_000 },
      ),
    }),
    { max: 10_000 },
  ),
});
export type RecordingIndex = z.output<typeof recordingIndex>;

/** `page` is the player. `data` serves the index, and below it each chunk as `<take>/<number>`. */
export const playerPaths = { page: '/r', data: '/recording', upload: '/recording-upload' } as const;
