/** Printing to the operator: the frames about the printer on the device and about the documents printed on it. */
import * as z from 'zod';

/** Both sides refuse a larger document. */
export const maxDocumentBytes = 100 * 1_024 * 1_024;

const id = z.int().min(0).max(0xffff_ffff);
const bytes = z.int().min(0);
const sentence = z.string().max(512);

export const printingMessages = {
  /** `printer`: its name on the device. `message`: why there is none any more. */
  printing: z.object({
    on: z.boolean(),
    printer: z.string().max(128).optional(),
    message: sentence.optional(),
  }),
  document: z.discriminatedUnion('is', [
    /** The device sends one document at a time, as chunks without gaps. */
    z.object({ is: z.literal('begin'), id, name: z.string().max(256) }),
    z.object({ is: z.literal('end'), id, size: bytes }),
    z.object({ is: z.literal('failed'), id, message: sentence }),
    /** The operator acknowledges that many bytes, so the device can continue to send. */
    z.object({ is: z.literal('taken'), id, bytes }),
    /** The operator does not want the rest. */
    z.object({ is: z.literal('stop'), id }),
  ]),
} as const;
