/** Whether a response is one that the service may give to that request. */
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import { faults, type FaultName } from '@drawbridge/contract/faults';
import type { GeneratedRequest } from './requests.ts';
import { closeCodeIn } from './sockets.ts';
import type { WireResponse, WireExchange } from './http-connection.ts';

/**
 * Done, nothing to say, nothing new; invalid, over the plan, forbidden, not found. Never an error of our own.
 */
const operationCodes = new Set([200, 204, 304, 400, 402, 403, 404]);
/** For bytes that are not HTTP, also: timeout, chunk too large, headers too large, unmet expectation. */
const rawCodes = new Set([...operationCodes, 408, 413, 417, 431]);

/**
 * At the panel and behind links, also: redirect, partial content, unavailable, conflict, too many requests.
 */
const pageCodes = new Set([...operationCodes, 206, 302, 303, 405, 409, 410, 413, 416, 429]);
/** For requests for a socket that are refused. */
const upgradeCodes = new Set([400, 403, 404, 405, 426, 431]);
/** Codes with which a socket is closed if the service itself has failed. */
const faultCloseCodes = new Set([1_011, 1_014]);

/** What must never be disclosed: paths of our code, or database statements. */
const leaks = /node_modules|\bat .+:\d+:\d+|SQLITE_|sqlite|\bselect .+ from\b|\.ts:\d+|password_hash/i;

/** What is wrong with a response, or undefined. */
export function responseProblem(
  answer: WireResponse,
  made: GeneratedRequest | undefined,
): string | undefined {
  const { http, body } = answer;
  if (!allowedFor(made).has(http) && !isExpectedRefusal(http, made)) return `it answered ${http}`;
  // The scripts of the pages are public, and contain many words.
  if (!answer.head.includes('/javascript') && leaks.test(body.toString())) return 'it told what is inside';
  if (http === 204 || http === 304 || body.length === 0) return undefined;
  if (answer.head.includes('content-encoding:')) return undefined;
  return bodyProblem(answer, made);
}

function allowedFor(made: GeneratedRequest | undefined): ReadonlySet<number> {
  if (!made) return rawCodes;
  return made.by === undefined && made.target.startsWith('/v1/') ? operationCodes : pageCodes;
}

/** What is wrong with how a socket was refused or closed, or undefined. */
export function socketProblem({ answers, received }: WireExchange): string | undefined {
  const refused = answers.find(({ http }) => !upgradeCodes.has(http));
  if (refused) return `it answered ${refused.http} to who asked for a socket`;
  const code = closeCodeIn(received);
  if (code !== undefined && faultCloseCodes.has(code)) return `it closed a socket with ${code}`;
  return leaks.test(received.toString('latin1')) ? 'it told what is inside' : undefined;
}

/** An unknown expectation gets 417; headers of more than 16 KiB get 431. */
function isExpectedRefusal(http: number, made: GeneratedRequest | undefined): boolean {
  const headers = made?.headers ?? [];
  if (http === 417) return headers.some(([name]) => name === 'Expect');
  return http === 431 && headers.join('').length + (made?.target.length ?? 0) > 15_000;
}

function bodyProblem(
  { http, head, body }: WireResponse,
  made: GeneratedRequest | undefined,
): string | undefined {
  if (!head.includes('content-type: application/json')) return undefined;
  const value = parsed(body);
  if (value === undefined) return 'its JSON cannot be parsed';
  if (http >= 400 && typeof value.error?.code !== 'string') return 'it refused without saying why';
  if (!made?.row || http === 404 || value.status === undefined) return undefined;
  return listedFor(made.row, http).has(value.status) ? undefined : `it answered status ${value.status}`;
}

function parsed(body: Buffer): { status?: number; error?: { code?: unknown } } | undefined {
  try {
    return JSON.parse(body.toString()) as { status?: number };
  } catch {
    return undefined;
  }
}

/** The numbers a row may return with an HTTP status code. */
function listedFor(row: Operation, http: number): Set<number | undefined> {
  const names = Object.keys(faults) as FaultName[];
  const outcomes = http === 200 ? (['ok'] as const) : names.filter((name) => faults[name].http === http);
  return new Set(outcomes.map((outcome) => statusOf(row, outcome)));
}
