/** Somebody who has the panel open: reads its stream of events as a browser does. */
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { PanelEvent } from '@drawbridge/contract/panel/events';
import { cookieName } from '@drawbridge/server/panel/cookie';
import type { TestClient } from './test-client.ts';
import type { PanelClient } from './panel.ts';
import { eventually } from './eventually.ts';

export interface Heard {
  name: string;
  id: string;
  data: unknown;
}

export interface Ears extends AsyncDisposable {
  http: number;
  headers: IncomingMessage['headers'];
  /** Every event so far. */
  heard: Heard[];
  /** Of the changes among them: topics and ids, in short. */
  changes(): PanelEvent[];
  /** Resolves with all changes so far when one of them fits. */
  until(fits: (event: PanelEvent) => boolean, withinMs?: number): Promise<PanelEvent[]>;
  /** What a browser would come back with. */
  lastId: string;
  /** Resolves when the stream is over, with the refusal's text where there was one. */
  over(): Promise<string>;
  hangUp(): void;
}

interface Options {
  lastId?: string;
  headers?: Record<string, string>;
}

export async function listen(
  { baseUrl, ca }: Pick<TestClient, 'baseUrl' | 'ca'>,
  { cookie }: Pick<PanelClient, 'cookie'>,
  { lastId, headers = {} }: Options = {},
): Promise<Ears> {
  const sent = request(`${baseUrl}/panel/api/events`, {
    ca,
    agent: false,
    headers: {
      accept: 'text/event-stream',
      'sec-fetch-site': 'same-origin',
      ...(cookie !== undefined && { cookie: `${cookieName}=${cookie}` }),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
      ...headers,
    },
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  const heard: Heard[] = [];
  let [text, whole, closed] = ['', '', false];
  const ears: Ears = {
    http: answer.statusCode!,
    headers: answer.headers,
    heard,
    changes: () => heard.filter(({ name }) => name === 'change').map(({ data }) => data as PanelEvent),
    async until(fits, withinMs) {
      await eventually(ears.changes, (changes) => changes.some(fits), withinMs);
      return ears.changes();
    },
    lastId: '',
    async over() {
      await eventually(
        () => closed,
        (isClosed) => isClosed,
      );
      return whole;
    },
    hangUp: () => answer.destroy(),
    async [Symbol.asyncDispose]() {
      answer.destroy();
    },
  };
  const take = (block: string): void => {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
    if (fields['id'] !== undefined) ears.lastId = fields['id'];
    if (fields['event'] !== undefined)
      heard.push({ name: fields['event'], id: ears.lastId, data: JSON.parse(fields['data']) });
  };
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    whole += chunk;
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop()!;
    blocks.forEach(take);
  });
  answer.once('close', () => void (closed = true)).on('error', () => {});
  // The first bytes tell from where on nothing is missed.
  if (ears.http === 200)
    await eventually(
      () => ears.lastId,
      (id) => id !== '',
    );
  return ears;
}

/** How many events of each topic there were. */
export const topicsOf = (changes: readonly PanelEvent[]): string[] => [
  ...new Set(changes.map(({ topic }) => topic)),
];
