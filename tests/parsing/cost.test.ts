/**
 * Untrusted input costs no more than its size allows: the worst inputs that can be built from each schema, at
 * every entry point.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeKey,
  decodeNumber,
  decodeDataChunk,
  decodePointer,
  decodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { decodeCursor, decodeTiles, decodeVideo } from '@drawbridge/contract/session/screen-frames';
import { maxChunkBytes, decodeRecordedFrames } from '@drawbridge/contract/session/recording';
import { splitSigned } from '@drawbridge/contract/session/signed';
import { parseCount } from '@drawbridge/contract/session/direct-count';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { assertCheap, cheapest, costLimit, type Cost } from './cost.ts';
import {
  bodyCases,
  frameCases,
  queryCases,
  maxQueryBytes,
  relayControlCases,
  shapeCases,
  socketCases,
  type ParserCase,
} from './parser-cases.ts';
import { worstInputsFor, worstQueries, type WorstInput } from './worst-inputs.ts';

interface Found {
  what: string;
  bytes: number;
  cost: Cost;
}

function measured(name: string, { what, text }: WorstInput, read: (text: string) => unknown): Found {
  const bytes = Buffer.byteLength(text);
  return { what: `${name}, ${what}`, bytes, cost: cheapest(() => read(text), costLimit(bytes)) };
}

/**
 * This many bytes at every position; some inputs are tried at the longest size that an entry point accepts.
 */
const usual = 64 * 1_024;
const telling = /^whole: (empty objects|keys)|fits$|: empty objects$/;
const longOnes = /^whole: (empty objects|keys)|fits$/;

function* inputsOf({ samples, bytes, unexpected }: ParserCase): Generator<WorstInput> {
  for (const sample of samples) {
    yield* worstInputsFor(sample, Math.min(bytes, usual), (what) => !unexpected || telling.test(what));
    if (bytes > usual) yield* worstInputsFor(sample, bytes, (what) => longOnes.test(what));
  }
}

function all(entries: readonly ParserCase[]): Found[] {
  return entries.flatMap((entry) => {
    const inputs = [...inputsOf(entry)];
    assert.ok(inputs.length >= 3, entry.name);
    const longest = Math.max(...inputs.map(({ text }) => Buffer.byteLength(text)));
    assert.ok(longest <= entry.bytes && longest > entry.bytes * 0.9, `${entry.name}: ${longest} bytes`);
    return inputs.map((input) => measured(entry.name, input, entry.read));
  });
}

for (const [what, entries] of Object.entries({
  'bodies of requests': bodyCases,
  'messages of devices, clients and servers': socketCases,
  'answers, commands and signed statements': shapeCases,
  'messages between servers and relays': relayControlCases,
  'frames of sessions': frameCases,
}))
  test(`${what} cost no more than their size allows, whatever is in them`, () => {
    assertCheap(all(entries));
  });

test('query strings cost no more than their size allows, whatever is in them', () => {
  const found = queryCases.flatMap(({ name, fields, read }) =>
    [...worstQueries(fields, maxQueryBytes)].map((input) => measured(name, input, read)),
  );

  assert.ok(found.length > 500);
  assertCheap(found);
});

/** Bytes of one value throughout, and with lengths that claim more than follows. */
function* worstBytes(bytes: number): Generator<{ what: string; data: Buffer }> {
  for (const byte of [0, 1, 0x11, 0xff]) yield { what: `all ${byte}`, data: Buffer.alloc(bytes, byte) };
  for (const at of [4, 5, 6]) {
    const data = Buffer.alloc(bytes);
    data.writeUInt16BE(0xffff, at);
    yield { what: `a count of 65,535 at ${at}`, data };
  }
  const records = Buffer.alloc(bytes);
  for (let at = 4; at < bytes; at += 9) records[at] = 0x11;
  yield { what: 'empty pictures', data: records };
}

const byteReaders = {
  decodeNumber,
  decodePointer,
  decodeWheel,
  decodeKey,
  decodeDataChunk,
  decodeVideo,
  decodeTiles,
  decodeCursor,
};

test('frames that are bytes, and recordings, cost no more than their size allows', () => {
  const found = [
    ...Object.entries(byteReaders).map(([name, read]) => ({ name, read, bytes: maxFrameBytes })),
    { name: 'readRecorded', read: decodeRecordedFrames, bytes: maxChunkBytes },
  ].flatMap(({ name, read, bytes }) =>
    [...worstBytes(bytes)].map(({ what, data }) => ({
      what: `${name}, ${what}`,
      bytes,
      cost: cheapest(() => read(data), costLimit(bytes)),
    })),
  );

  assertCheap(found);
});

test('tickets, tokens and counts cost no more than their size allows', () => {
  const readers = { splitSigned, parseCount, parseEnrolmentToken };
  const texts = ['.', 'A', 'A.', '-', 'direct 1', '=', ' ', 'dbe1_'].map((text) =>
    text.repeat(usual / text.length),
  );
  const found = Object.entries(readers).flatMap(([name, read]) =>
    texts.map((text) => measured(name, { what: text.slice(0, 8), text }, read)),
  );

  assertCheap(found);
});
