/** What stands behind a link that a person opens in a browser. */
import type { IncomingHttpHeaders } from 'node:http';
import type { IncomingBody } from '../handlers/handler.ts';
import type { PageResponse } from '../http/content/pages.ts';

/** A request for a page: what the address said, where they come from, and what they filled in. */
export interface PageRequest {
  params: Record<string, string>;
  address: string;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  /** The body as it comes, where the route takes it so. */
  incoming?: IncomingBody | undefined;
}

export interface Route {
  method: 'GET' | 'POST';
  /** A path with named parts, such as `/p/:path`. */
  path: string;
  /** Set where the body may be large, and is read only by whoever may send it. */
  takes?: 'bytes';
  handle(request: PageRequest): Promise<PageResponse>;
}
