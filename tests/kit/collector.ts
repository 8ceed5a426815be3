/** An OpenTelemetry collector that decodes and keeps what it receives. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string>;
  status?: { code: number };
}

interface ReceivedMetric {
  name: string;
  gauge?: { dataPoints: { asDouble: number }[] };
  sum?: { dataPoints: { attributes: Attribute[]; asDouble: number }[] };
  histogram?: { dataPoints: { count: string; bucketCounts: string[]; explicitBounds: number[] }[] };
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

export interface Collector extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  /** Every body as text. */
  received: string[];
  headers: Record<string, unknown>[];
}

interface Body {
  resourceSpans?: { scopeSpans: { spans: (ReceivedSpan & { attributes: unknown })[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: ReceivedMetric[] }[] }[];
}

export const attributesIn = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));

/** With `hangs` it takes requests and never answers. */
export async function startCollector({ hangs = false } = {}): Promise<Collector> {
  const [spans, metrics, received, headers]: [ReceivedSpan[], ReceivedMetric[], string[], object[]] = [
    [],
    [],
    [],
    [],
  ];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Body;
    received.push(JSON.stringify(body));
    headers.push({ ...request.headers });
    for (const { spans: each } of (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans))
      spans.push(...each.map((span) => ({ ...span, attributes: attributesIn(span.attributes as never) })));
    for (const each of (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics))
      metrics.push(...each.metrics);
    if (!hangs) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    received,
    headers: headers as Record<string, unknown>[],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
