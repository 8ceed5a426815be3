/** Answers outside the API: health, and the page at the front. */
export interface Page {
  http: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

const text = 'text/plain; charset=utf-8';

/** Pages run no code and load nothing but what they are told here. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const html = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<h1>${title}</h1>
${body}
</html>
`;

const front = html(
  'Drawbridge is running',
  '<p>The API is at <code>/v1</code>. Read about it, and try it, in the <a href="/docs/">API reference</a>.</p>',
);

export interface Health {
  /** True while the service takes requests: false from the moment it is told to stop. */
  ready(): Promise<boolean>;
}

/** The pages by path. */
export function frontPages({ ready }: Health): Map<string, () => Page | Promise<Page>> {
  return new Map<string, () => Page | Promise<Page>>([
    [
      '/',
      () => ({
        http: 200,
        type: 'text/html; charset=utf-8',
        body: front,
        headers: { 'Content-Security-Policy': pagePolicy },
      }),
    ],
    ['/healthz', () => ({ http: 200, type: text, body: 'ok\n' })],
    [
      '/readyz',
      async () =>
        (await ready())
          ? { http: 200, type: text, body: 'ready\n' }
          : { http: 503, type: text, body: 'not ready\n' },
    ],
  ]);
}
