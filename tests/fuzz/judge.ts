/** Whether an answer is one that the service may give to that request. */
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import { faults, type FaultName } from '@drawbridge/contract/faults';
import { v1 } from '@drawbridge/contract/v1/index';
import type { Made } from './requests.ts';
import type { Heard } from './wire.ts';

/** Done, nothing to say, nothing new; invalid, over the plan, no right, nothing there. Never a fault of our own. */
const ofRows = new Set([200, 204, 304, 400, 402, 403, 404]);
/** For bytes that are not HTTP, also: too slow, too large a chunk, too large a head, an expectation nobody can meet. */
const ofBytes = new Set([...ofRows, 408, 413, 417, 431]);

/** What must never be told: where our code stands, or what it asked the database. */
const leaks = /node_modules|\bat .+:\d+:\d+|SQLITE_|sqlite|\bselect .+ from\b|\.ts:\d+|password_hash/i;

/** What is wrong with an answer, or undefined. */
export function wrongIn(answer: Heard, made: Made | undefined): string | undefined {
  const { http, body } = answer;
  if (!(made ? ofRows : ofBytes).has(http) && !isDeserved(http, made)) return `it answered ${http}`;
  if (leaks.test(body.toString())) return 'it told what is inside';
  if (http === 204 || http === 304 || body.length === 0) return undefined;
  if (answer.head.includes('content-encoding:')) return undefined;
  return wrongBody(answer, made);
}

/** Who expects what nobody knows hears 417; who sends a head of more than 16 KiB hears 431. */
function isDeserved(http: number, made: Made | undefined): boolean {
  const headers = made?.headers ?? [];
  if (http === 417) return headers.some(([name]) => name === 'Expect');
  return http === 431 && headers.join('').length + (made?.target.length ?? 0) > 15_000;
}

function wrongBody({ http, head, body }: Heard, made: Made | undefined): string | undefined {
  if (!head.includes('content-type: application/json')) return undefined;
  const value = parsed(body);
  if (value === undefined) return 'its JSON can not be read';
  if (http >= 400 && typeof value.error?.code !== 'string') return 'it refused without saying why';
  if (!made?.id || http === 404 || value.status === undefined) return undefined;
  return listedFor(v1[made.id], http).has(value.status) ? undefined : `it answered status ${value.status}`;
}

function parsed(body: Buffer): { status?: number; error?: { code?: unknown } } | undefined {
  try {
    return JSON.parse(body.toString()) as { status?: number };
  } catch {
    return undefined;
  }
}

/** The numbers a row may answer with an HTTP code. */
function listedFor(row: Operation, http: number): Set<number | undefined> {
  const names = Object.keys(faults) as FaultName[];
  const outcomes = http === 200 ? (['ok'] as const) : names.filter((name) => faults[name].http === http);
  return new Set(outcomes.map((outcome) => statusOf(row, outcome)));
}
