/** A client of the panel's event stream, which reads it as a browser does. */
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
  received: ReceivedEvent[];
  /** The changes among them: topics and ids, abbreviated. */
  changes(): PanelEvent[];
  /** Resolves with all changes so far once one of them fits. */
  until(fits: (event: PanelEvent) => boolean, withinMs?: number): Promise<PanelEvent[]>;
  /** The Last-Event-ID a browser would reconnect with. */
  readonly lastId: string;
  /** Resolves when the stream is over, with the text of the refusal if there was one. */
  over(): Promise<string>;
  hangUp(): void;
}

interface EventReaderOptions {
  lastId?: string;
  headers?: Record<string, string>;
}

function requestEvents(
  { baseUrl, ca }: Pick<TestClient, 'baseUrl' | 'ca'>,
  { cookie }: Pick<PanelClient, 'cookie'>,
  { lastId, headers = {} }: EventReaderOptions,
): Promise<IncomingMessage> {
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
  return new Promise((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
}

interface StreamState {
  received: ReceivedEvent[];
  lastId: string;
  /** Everything received. */
  text: string;
  isClosed: boolean;
}

/** Collects the events of the stream as they arrive. */
function readStream(answer: IncomingMessage): StreamState {
  const state: StreamState = { received: [], lastId: '', text: '', isClosed: false };
  let incomplete = '';
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    state.text += chunk;
    const blocks = (incomplete + chunk).split('\n\n');
    incomplete = blocks.pop()!;
    for (const block of blocks) takeEvent(state, block);
  });
  answer.once('close', () => void (state.isClosed = true)).on('error', () => {});
  return state;
}

function takeEvent(state: StreamState, block: string): void {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
  if (fields['id'] !== undefined) state.lastId = fields['id'];
  if (fields['event'] !== undefined)
    state.received.push({ name: fields['event'], id: state.lastId, data: JSON.parse(fields['data']) });
}

export async function openEventReader(
  testClient: Pick<TestClient, 'baseUrl' | 'ca'>,
  panel: Pick<PanelClient, 'cookie'>,
  options: EventReaderOptions = {},
): Promise<EventReader> {
  const answer = await requestEvents(testClient, panel, options);
  const state = readStream(answer);
  const { received } = state;
  const changes = (): PanelEvent[] =>
    received.filter(({ name }) => name === 'change').map(({ data }) => data as PanelEvent);
  // The first bytes confirm the position from which on no event is missed.
  if (answer.statusCode === 200)
    await eventually(
      () => state.lastId,
      (id) => id !== '',
    );
  return {
    http: answer.statusCode!,
    headers: answer.headers,
    received,
    changes,
    async until(fits, withinMs) {
      await eventually(changes, (all) => all.some(fits), withinMs);
      return changes();
    },
    get lastId() {
      return state.lastId;
    },
    async over() {
      await eventually(() => state.isClosed, Boolean);
      return state.text;
    },
    hangUp: () => answer.destroy(),
    async [Symbol.asyncDispose]() {
      answer.destroy();
    },
  };
}

/** How many events of each topic there were. */
export const topicsOf = (changes: readonly PanelEvent[]): string[] => [
  ...new Set(changes.map(({ topic }) => topic)),
];
