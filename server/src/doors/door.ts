/** What stands behind a link that a person opens in a browser. */
import type { IncomingHttpHeaders } from 'node:http';
import type { IncomingBody } from '../handlers/handler.ts';
import type { PageResponse } from '../http/pages.ts';

/** Somebody at the door: what the address said, where they come from, and what they filled in. */
export interface Knock {
  params: Record<string, string>;
  address: string;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  /** The body as it comes, where the door takes it so. */
  incoming?: IncomingBody | undefined;
}

export interface Door {
  method: 'GET' | 'POST';
  /** A path with named parts, such as `/p/:path`. */
  path: string;
  /** Set where the body may be large, and is read only by whoever may send it. */
  takes?: 'bytes';
  open(knock: Knock): Promise<PageResponse>;
}
