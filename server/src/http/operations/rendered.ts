/** Joins the fields of a response that are already JSON text into one body. */
import { statusOf, type Operation } from '@drawbridge/contract/operation';

export type RenderedFields = Record<string, string | readonly Buffer[]>;

export function joinRendered(row: Operation, rendered: RenderedFields): string | Buffer {
  const status = statusOf(row, 'ok');
  const chunks: Buffer[] = [];
  let text = status === undefined ? '{' : `{"status":${status},`;
  let separator = '';
  for (const [name, value] of Object.entries(rendered)) {
    text += `${separator}"${name}":`;
    separator = ',';
    if (typeof value === 'string') text += value;
    else {
      chunks.push(Buffer.from(text));
      for (const chunk of value) chunks.push(chunk);
      text = '';
    }
  }
  text += '}';
  return chunks.length === 0 ? text : Buffer.concat([...chunks, Buffer.from(text)]);
}
