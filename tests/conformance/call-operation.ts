/** A request for an operation as any HTTP client sends it, and the response with every byte of it. */
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import type { ReplyBody } from '../kit/server/account.ts';
import type { TestClient, PlainResponse } from '../kit/server/test-client.ts';
import { operationRows } from './operation-rows/index.ts';
import type { OperationParams } from './operation-rows/row.ts';

export const operationTable: Record<OperationId, Operation> = v1;
export const operationIds = Object.keys(v1) as OperationId[];

export interface OperationResponse extends PlainResponse {
  /** The parsed body; empty if the body is. */
  body: ReplyBody;
}

export interface OperationCallOptions {
  /** Undefined sends no key at all. */
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  /** The base path of the operations, if not that of programs. */
  prefix?: string;
  /** The raw query or body, instead of the parameters given as values. */
  raw?: string;
}

/** Values as a query carries them; nested ones are written as JSON, which no operation accepts. */
export const toQuery = (params: OperationParams): string =>
  new URLSearchParams(
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  ).toString();

export async function callOperation(
  testClient: TestClient,
  id: OperationId,
  params: OperationParams,
  { apiKey, headers = {}, prefix = '/v1/', raw }: OperationCallOptions = {},
): Promise<OperationResponse> {
  const row = operationTable[id];
  const inQuery = inputLocation(row) === 'query';
  const query = inQuery ? (raw ?? toQuery(params)) : '';
  const body = inQuery ? operationRows[id].file : (raw ?? JSON.stringify(params));
  const answer = await testClient.send({
    method: row.method,
    path: `${prefix}${id}${query && `?${query}`}`,
    headers: {
      ...(apiKey !== undefined && { 'X-Api-Key': apiKey }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  return { ...answer, body: parsed(answer.text) };
}

function parsed(text: string): ReplyBody {
  try {
    return JSON.parse(text) as ReplyBody;
  } catch {
    return {};
  }
}
