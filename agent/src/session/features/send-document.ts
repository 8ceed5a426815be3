/** Sends a printed document to an operator while it is printed, and refuses what is not a complete PDF of a reasonable size. */
import { maxDocumentBytes } from '@drawbridge/contract/session/features/printing';
import type { WindowShare } from '@drawbridge/session/send-window';
import { NotPossible } from '../../platform/platform.ts';
import type { PrintJob } from '../../platform/printing/session-printer.ts';
import type { FeatureContext } from '../feature.ts';

const start = Buffer.from('%PDF-');
/** A complete PDF has this mark near its end. */
const [endMark, endBytes] = ['%%EOF', 1_024];

const notPdf = 'It is not a PDF. The packages cups and cups-filters on the device convert other formats.';
const tooLarge = `It is larger than ${maxDocumentBytes / 1_024 / 1_024} MB.`;

export interface OutgoingDocument {
  id: number;
  job: PrintJob;
  window: WindowShare;
  /** Called with the first bytes, before anything is sent. */
  onBegin(): void;
}

/** Resolves with the size. The name is told only with the first bytes of a PDF. */
export async function sendDocument(
  context: Pick<FeatureContext, 'send' | 'drained'>,
  { id, job, window, onBegin }: OutgoingDocument,
): Promise<number> {
  let at = 0;
  let end = Buffer.alloc(0);
  for await (const chunk of startingWithMark(job.content)) {
    if (at === 0) onBegin();
    if (at + chunk.length > maxDocumentBytes) throw new NotPossible(tooLarge);
    end = Buffer.concat([end, chunk]).subarray(-endBytes);
    for (let from = 0; from < chunk.length;) {
      const most = await window.reserve();
      if (most === 0) throw new NotPossible('It was stopped.');
      const data = chunk.subarray(from, from + most);
      await context.drained();
      context.send('document_bytes', { id, at, data });
      at += data.length;
      from += data.length;
      window.sent(data.length, at);
    }
  }
  if (at === 0) throw new NotPossible(notPdf);
  if (!end.includes(endMark)) throw new NotPossible('It is not complete.');
  return at;
}

/** The chunks as they are, after the first bytes were checked. */
async function* startingWithMark(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of content) {
    if (!first) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < start.length) continue;
    if (!first.subarray(0, start.length).equals(start)) throw new NotPossible(notPdf);
    yield first;
    first = undefined;
  }
}
