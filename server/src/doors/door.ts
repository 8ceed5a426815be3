/** What stands behind a link that a person opens in a browser. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Page } from '../http/pages.ts';

/** Somebody at the door: what the address said, where they come from, and what they filled in. */
export interface Knock {
  params: Record<string, string>;
  address: string;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
}

export interface Door {
  method: 'GET' | 'POST';
  /** A path with named parts, such as `/p/:path`. */
  path: string;
  open(knock: Knock): Promise<Page>;
}
