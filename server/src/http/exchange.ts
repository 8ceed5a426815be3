/** One request with what has been read of it, and its response. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The address of the client. */
  address: string;
  body: Buffer | undefined;
  /** The named parts of the path. */
  params: Record<string, string>;
}
