/** Somebody who has the panel open: reads its stream of events as a browser does. */
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { PanelEvent } from '@drawbridge/contract/panel/events';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import type { TestClient } from './test-client.ts';
import type { PanelClient } from './panel.ts';
import { eventually } from '../eventually.ts';

interface ReceivedEvent {
  name: string;
  id: string;
  data: unknown;
}

export interface EventReader extends AsyncDisposable {
  http: number;
  headers: IncomingMessage['headers'];
  /** Every event so far. */
  heard: ReceivedEvent[];
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

interface EventReaderOptions {
  lastId?: string;
  headers?: Record<string, string>;
}

export async function openEventReader(
  { baseUrl, ca }: Pick<TestClient, 'baseUrl' | 'ca'>,
  { cookie }: Pick<PanelClient, 'cookie'>,
  { lastId, headers = {} }: EventReaderOptions = {},
): Promise<EventReader> {
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
  const heard: ReceivedEvent[] = [];
  let [text, whole, closed] = ['', '', false];
  const eventReader: EventReader = {
    http: answer.statusCode!,
    headers: answer.headers,
    heard,
    changes: () => heard.filter(({ name }) => name === 'change').map(({ data }) => data as PanelEvent),
    async until(fits, withinMs) {
      await eventually(eventReader.changes, (changes) => changes.some(fits), withinMs);
      return eventReader.changes();
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
    if (fields['id'] !== undefined) eventReader.lastId = fields['id'];
    if (fields['event'] !== undefined)
      heard.push({ name: fields['event'], id: eventReader.lastId, data: JSON.parse(fields['data']) });
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
  if (eventReader.http === 200)
    await eventually(
      () => eventReader.lastId,
      (id) => id !== '',
    );
  return eventReader;
}

/** How many events of each topic there were. */
export const topicsOf = (changes: readonly PanelEvent[]): string[] => [
  ...new Set(changes.map(({ topic }) => topic)),
];
