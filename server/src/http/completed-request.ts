/** A request whose response is known, for the log and the metrics. */
import type { IncomingMessage } from 'node:http';
import type { OperationOutcome } from './operations/dispatch.ts';

export interface CompletedRequest {
  request: IncomingMessage;
  /** The name of the operation, the path of the page, or the code of the refusal. */
  operation: string;
  address: string;
  http: number;
  outcome?: OperationOutcome | undefined;
  started: number;
}
