/** Traces requests and the messages that they cause, and sends traces and metrics to a collector, where the settings name one. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { hasAnswer, type Bus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../edges/log.ts';
import type { Metrics } from '../edges/metrics.ts';
import { createOtlpExporter } from '../edges/telemetry/otlp-exporter.ts';
import { prometheusToOtlp } from '../edges/telemetry/prometheus-to-otlp.ts';
import { createTracer, traceparentOf, type Tracer } from '../edges/telemetry/tracer.ts';
import { serverVersion } from '../edges/version.ts';
import type { CommandTrace } from '../gateway/devices/uplink-connection.ts';
import type { CompletedRequest } from '../http/completed-request.ts';
import { refusalCode } from '../http/operations/dispatch.ts';
import type { CloseStack } from './close-stack.ts';

/** Undefined where the settings name no collector. */
export function startTelemetry(
  { otlp }: Config,
  { metrics, log, closing }: { metrics: Metrics; log: Log; closing: CloseStack },
): Tracer | undefined {
  if (!otlp) return undefined;
  const exporter = createOtlpExporter({
    endpoint: otlp.endpoint,
    headers: otlp.headers,
    version: serverVersion,
    instance: randomUUID(),
    readMetrics: async () => prometheusToOtlp(await metrics.text(), performance.timeOrigin, Date.now()),
    onChange: ({ away, dropped, reason }) =>
      away
        ? log.warn({ reason }, 'the OpenTelemetry collector is away; traces are dropped until it is back')
        : log.info({ dropped }, 'the OpenTelemetry collector is back'),
  });
  closing.push(() => exporter.close());
  return createTracer(otlp.tracePercent, exporter.add);
}

/** Everything that a request causes belongs to its trace. */
export const traceRequests =
  (tracer: Tracer, onRequest: RequestListener): RequestListener =>
  (request, response) => {
    const { traceparent } = request.headers;
    const context = tracer.begin(typeof traceparent === 'string' ? traceparent : undefined);
    tracer.run(context, () => onRequest(request, response));
  };

/** Called when the response of a request is known. */
export function endRequest(tracer: Tracer, { request, operation, http, outcome }: CompletedRequest): void {
  const context = tracer.current();
  if (!context) return;
  const code = refusalCode(outcome);
  tracer.end(context, {
    name: operation,
    kind: 'server',
    failed: http >= 500,
    attributes: {
      'http.request.method': request.method!,
      'http.response.status_code': http,
      ...(code !== undefined && { 'error.type': code }),
    },
  });
}

/** A message with the trace of its sender. Servers that do not trace ignore it. */
interface TracedMessage {
  name?: string;
  trace?: string;
}

const isObject = (message: unknown): message is TracedMessage =>
  typeof message === 'object' && message !== null && !Array.isArray(message);

/** A subject without the numbers in it. */
const kindOf = (subject: string): string => subject.replaceAll(/\.(?:\d+|[\da-f-]{36})(?=\.|$)/g, '');

/** Requests over the bus are spans on both sides, with the name of the command for devices. */
export const traceBus = (bus: Bus, tracer: Tracer): Bus => ({
  ...bus,
  async request(subject, message, timeoutMs) {
    if (!isObject(message) || !tracer.current()) return bus.request(subject, message, timeoutMs);
    const context = tracer.begin();
    const answer = await bus.request(subject, { ...message, trace: traceparentOf(context) }, timeoutMs);
    tracer.end(context, { ...messageSpan(subject, 'client', message), failed: !hasAnswer(answer) });
    return answer;
  },
  answer: (subject, handle) =>
    bus.answer(subject, async (message) => {
      if (!isObject(message) || message.trace === undefined) return handle(message);
      const context = tracer.begin(message.trace);
      const answer = await tracer.run(context, () => handle(message));
      tracer.end(context, messageSpan(subject, 'server', message));
      return answer;
    }),
});

const messageSpan = (subject: string, kind: 'server' | 'client', { name }: TracedMessage) => ({
  name: kindOf(subject),
  kind,
  attributes: typeof name === 'string' ? { 'drawbridge.command': name } : ({} as Record<string, string>),
  failed: false,
});

/** The part of a command that runs on the device, of which the device only says how long it took. */
export const traceCommands =
  (tracer: Tracer) =>
  (name: string): CommandTrace | undefined => {
    if (!tracer.current()) return undefined;
    const context = tracer.begin();
    return {
      traceparent: traceparentOf(context),
      end(isAnswered, deviceMs) {
        const attributes = {
          'drawbridge.command': name,
          ...(deviceMs !== undefined && { 'drawbridge.device_ms': deviceMs }),
        };
        tracer.end(context, { name: 'device.command', kind: 'client', attributes, failed: !isAnswered });
      },
    };
  };
