/** Every place where untrusted input is parsed, with what is parsed there, how, and its maximum length. */
import { panel } from '@drawbridge/contract/panel/index';
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { parseAs } from '@drawbridge/contract/parse';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { lobbyDown, lobbyDownByState, lobbyUp, lobbyUpByState } from '@drawbridge/contract/session/lobby';
import {
  againReply,
  againRequest,
  alarmRequest,
  inviterRequest,
  noteRequest,
  openReply,
  openRefusal,
  openRequest,
  recordRequest,
  relaysReply,
  relaysRequest,
  resumeRequest,
  showRequest,
} from '@drawbridge/contract/session/open';
import {
  maxControlBytes,
  parseControl,
  relayMessages,
  serverMessages,
} from '@drawbridge/contract/session/relay-control';
import { recordingIndex } from '@drawbridge/contract/session/player';
import { grant, decodeBody, ticket, toBase64url } from '@drawbridge/contract/session/signed';
import {
  maxMessageBytes,
  decodeMessage,
  sessionMessages,
  type SessionMessageKind,
} from '@drawbridge/contract/session/messages';
import { commands } from '@drawbridge/contract/uplink/commands';
import {
  downMessages,
  downKindsByState,
  maxUpBytes,
  readMessage,
  upMessages,
  upKindsByState,
} from '@drawbridge/contract/uplink/messages';
import { v1 } from '@drawbridge/contract/v1/index';
import { createInputReader } from '@drawbridge/server/http/operations/input';
import type { z } from 'zod';
import { samplesOf } from './samples.ts';

export interface ParserCase {
  name: string;
  /** The longest accepted input. */
  bytes: number;
  /** What an honest client sends. */
  samples: object[];
  /** Only its kind is read. */
  unexpected?: boolean;
  read(text: string): unknown;
}

const bodyBytes = 64 * 1_024;
/** Of the request line. */
export const maxQueryBytes = 16 * 1_024;
const longestFirst = 4 * 1_024;
const longestPreview = 210_000;
const longestDown = 256 * 1_024;
const longestLobbyDown = 64 * 1_024;

const rowsOf = (prefix: string, table: Record<string, Operation>): [string, Operation][] =>
  Object.entries(table).map(([id, row]) => [`${prefix} ${id}`, row]);

const rows = [...rowsOf('/v1', v1), ...rowsOf('panel', panel)];

export const bodyCases: ParserCase[] = rows
  .filter(([, row]) => inputLocation(row) === 'body' && row.body !== 'bytes')
  .map(([name, row]) => {
    const read = createInputReader(row);
    return {
      name,
      bytes: bodyBytes,
      samples: samplesOf(row.input) as object[],
      read: (text) => read({ query: '', body: Buffer.from(text) }),
    };
  });

export interface QueryParserCase {
  name: string;
  fields: string[];
  read(query: string): unknown;
}

export const queryCases: QueryParserCase[] = rows
  .filter(([, row]) => inputLocation(row) === 'query' || row.body === 'bytes')
  .map(([name, row]) => {
    const read = createInputReader({ ...row, from: 'query' });
    return {
      name,
      fields: Object.keys(row.input.shape),
      read: (query) => read({ query, body: undefined }),
    };
  });

type Kinds = Record<string, z.ZodObject>;

/** The messages of a socket, for each state of the sender. */
const messages = <All extends Kinds>(
  socket: string,
  all: All,
  when: Record<string, readonly (keyof All & string)[]>,
  bytesOf: (state: string) => number,
): ParserCase[] =>
  Object.entries(when).flatMap(([state, expected]) =>
    Object.keys(all).map((kind) => ({
      name: `${socket}, ${state}, ${kind}`,
      bytes: bytesOf(state),
      samples: samplesOf(all[kind]!).map((sample) => ({ kind, ...(sample as object) })),
      unexpected: !expected.includes(kind),
      read: (text: string) => readMessage(all, text, expected),
    })),
  );

const uplinkBytes: Record<string, number> = { unknown: longestFirst, challenged: 64 * 1_024 };

export const socketCases: ParserCase[] = [
  ...messages('uplink', upMessages, upKindsByState, (state) => uplinkBytes[state] ?? maxUpBytes),
  ...messages('lobby', lobbyUp, lobbyUpByState, (state) =>
    state === 'unknown' ? longestFirst : longestPreview,
  ),
  ...messages('agent at the uplink', downMessages, downKindsByState, () => longestDown),
  ...messages('client at the lobby', lobbyDown, lobbyDownByState, () => longestLobbyDown),
];

const byShape = (name: string, shape: z.ZodType, bytes: number): ParserCase => ({
  name,
  bytes,
  samples: samplesOf(shape) as object[],
  read: (text) => parseAs(shape, parsed(text)),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const pages = {
  showRequest,
  inviterRequest,
  openRequest,
  resumeRequest,
  noteRequest,
  againRequest,
  recordRequest,
  alarmRequest,
  relaysRequest,
};

export const shapeCases: ParserCase[] = [
  ...Object.entries(commands).flatMap(([name, { input, output }]) => [
    byShape(`answer to ${name}`, output, maxUpBytes),
    byShape(`command ${name}`, input, longestDown),
  ]),
  ...Object.entries(pages).map(([name, shape]) => byShape(name, shape, bodyBytes)),
  ...Object.entries({ openReply, openRefusal, againReply, relaysReply, recordingIndex }).map(
    ([name, shape]) => byShape(`reply ${name}`, shape, bodyBytes),
  ),
  ...Object.entries({ ticket, grant }).map(([purpose, shape]): ParserCase => ({
    name: `signed ${purpose}`,
    bytes: 6 * 1_024,
    samples: samplesOf(shape) as object[],
    read: (text) => decodeBody(purpose as 'ticket' | 'grant', toBase64url(Buffer.from(text))),
  })),
];

const controlCases = (side: string, table: typeof serverMessages | typeof relayMessages): ParserCase[] =>
  Object.entries(table).map(([kind, shape]) => ({
    name: `${side} at the control connection, ${kind}`,
    bytes: maxControlBytes,
    samples: samplesOf(shape).map((sample) => ({ kind, ...(sample as object) })),
    read: (text) => parseControl(table, text),
  }));

/** What a relay that runs alone and its servers send each other. */
export const relayControlCases: ParserCase[] = [
  ...controlCases('server', serverMessages),
  ...controlCases('relay', relayMessages),
];

/** The text frames of a session; the relay forwards frames from anyone in the session. */
export const frameCases: ParserCase[] = (Object.keys(sessionMessages) as SessionMessageKind[]).map(
  (kind) => ({
    name: `frame ${kind} from ${frameKinds[kind].from}`,
    bytes: maxMessageBytes(kind),
    samples: samplesOf(sessionMessages[kind]) as object[],
    read: (text) => decodeMessage(kind, Buffer.from(text)),
  }),
);
