/** A request whose answer is known, for the log and the metrics. */
import type { IncomingMessage } from 'node:http';
import type { OperationOutcome } from './operations/dispatch.ts';

export interface CompletedRequest {
  request: IncomingMessage;
  /** The row's id, or where the request went when it met no row. */
  operation: string;
  address: string;
  http: number;
  outcome?: OperationOutcome | undefined;
  started: number;
}
