/** What can keep a recording from being shown: in words, and whether another try may find it gone. */
import { Broken } from './chunks.ts';
import { texts } from './texts.ts';

/** The server answers, and does not give it. */
export class Refused extends Error {
  readonly http: number;

  constructor(http: number) {
    super(`answered ${http}`);
    this.http = http;
  }
}

export interface Trouble {
  text: string;
  mayPass: boolean;
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof Broken) return { text: texts.broken, mayPass: false };
  if (!(error instanceof Refused)) return { text: texts.unreachable, mayPass: true };
  if (error.http === 404) return { text: texts.gone, mayPass: false };
  return { text: error.http === 429 ? texts.busy : texts.trouble, mayPass: true };
}
