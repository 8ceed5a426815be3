/** Writes one log line per request and counts it in the metrics. */
import { refusalCode } from '../http/operations/dispatch.ts';
import type { CompletedRequest } from '../http/completed-request.ts';
import type { Log } from '../edges/log.ts';
import type { Metrics } from '../edges/metrics.ts';

export function logRequest(completed: CompletedRequest, log: Log, metrics: Metrics): void {
  const { request, operation, address, http, outcome, started } = completed;
  const ms = performance.now() - started;
  const code = refusalCode(outcome);
  metrics.observeRequest(operation, http, ms / 1_000);
  if (code !== undefined) metrics.countRefusal(code);
  const actor = outcome?.caller?.actor;
  log.request({
    method: request.method!,
    path: request.url!,
    status: http,
    ms: Math.round(ms * 100) / 100,
    address,
    account: actor?.accountId,
    member: actor?.memberId,
    operation,
  });
}
