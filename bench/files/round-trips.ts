/** What the benchmark's page reports, and how it is asked. */

export const loads = ['nothing', 'a download', 'an upload'] as const;
export type Load = (typeof loads)[number];

/** Round trips in milliseconds, and how fast the file was. */
export interface RoundTrips {
  median: number;
  p95: number;
  longest: number;
  megabytesPerSecond: number;
  /** What was moved in the whole run, of which only a part is measured. */
  megabytes: number;
}

/** `globalThis.filesBench` of the page that main.ts loads. */
export interface FilesBench {
  /** Resolves with the transport that the session uses. */
  open(code: string, transport: 'relay' | 'direct'): Promise<string>;
  measure(load: Load, seconds: number): Promise<RoundTrips>;
}
