/** Sends traces and metrics to an OpenTelemetry collector: OTLP over HTTP, as JSON. What the collector does not take is dropped. */
import type { Span } from './tracer.ts';
import { attributesOf, type OtlpMetric } from './prometheus-to-otlp.ts';

interface ExporterOptions {
  /** The address of the collector, such as http://127.0.0.1:4318. */
  endpoint: string;
  /** May contain a secret: never log it. */
  headers: Record<string, string>;
  version: string;
  /** Identifies this process among others. */
  instance: string;
  readMetrics(): Promise<OtlpMetric[]>;
  /** Called when the collector stops taking what is sent, and when it takes it again. */
  onChange(state: { away: boolean; dropped: number; reason: string }): void;
}

export interface OtlpExporter {
  add(span: Span): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

const mostQueued = 2_048;
const mostPerRequest = 512;
const flushEveryMs = 1_000;
const metricsEveryMs = 60_000;
const requestTimeoutMs = 10_000;
const closeTimeoutMs = 2_000;

export function createOtlpExporter(options: ExporterOptions): OtlpExporter {
  const send = createSender(options);
  let queue: Span[] = [];
  let running: Promise<unknown> | undefined;
  const flush = async (timeoutMs: number): Promise<void> => {
    const batch = queue.slice(0, mostPerRequest);
    queue = queue.slice(mostPerRequest);
    if (batch.length > 0) await send('traces', batch.length, toTraces(batch), timeoutMs);
  };
  const sendMetrics = async (timeoutMs: number): Promise<void> =>
    send('metrics', 0, toMetrics(await options.readMetrics()), timeoutMs);
  // One request at a time: a slow collector gets less, and nothing waits for it.
  const flushUnlessRunning = (): void => {
    running ??= flush(requestTimeoutMs).finally(() => (running = undefined));
  };
  const timers = [
    setInterval(flushUnlessRunning, flushEveryMs).unref(),
    setInterval(() => void sendMetrics(requestTimeoutMs), metricsEveryMs).unref(),
  ];
  return {
    add(span) {
      if (queue.length < mostQueued) queue.push(span);
      else send.drop(1);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([flush(closeTimeoutMs), sendMetrics(closeTimeoutMs)]);
    },
  };
}

interface Sender {
  (
    signal: 'traces' | 'metrics',
    spans: number,
    body: (resource: object) => object,
    timeoutMs: number,
  ): Promise<void>;
  drop(count: number): void;
}

function createSender({ endpoint, headers, version, instance, onChange }: ExporterOptions): Sender {
  const resource = {
    attributes: attributesOf({
      'service.name': 'drawbridge',
      'service.version': version,
      'service.instance.id': instance,
    }),
  };
  let [away, dropped] = [false, 0];
  const change = (isAway: boolean, reason: string): void => {
    if (away !== isAway) onChange({ away: isAway, dropped, reason });
    away = isAway;
    if (!isAway) dropped = 0;
  };
  const send: Sender = async (signal, spans, body, timeoutMs) => {
    try {
      const response = await fetch(`${endpoint}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body(resource)),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      change(false, '');
    } catch (error) {
      dropped += spans;
      change(true, error instanceof Error ? error.message : String(error));
    }
  };
  send.drop = (count) => void (dropped += count);
  return send;
}

const scope = { name: 'drawbridge' };
const kinds = { server: 2, client: 3 };
const nanosOf = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;

const toTraces =
  (spans: readonly Span[]) =>
  (resource: object): object => ({
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(toSpan) }] }],
  });

const toMetrics =
  (metrics: readonly OtlpMetric[]) =>
  (resource: object): object => ({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] });

const toSpan = ({ traceId, spanId, parentId, name, kind, ...span }: Span): object => ({
  traceId,
  spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanosOf(span.startedAt),
  endTimeUnixNano: nanosOf(span.endedAt),
  attributes: attributesOf(span.attributes),
  ...(span.failed && { status: { code: 2 } }),
});
