/** Traces: which work belongs to which request, also across processes (W3C Trace Context). */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** A piece of work that has begun. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Whether it is exported. */
  sampled: boolean;
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
}

export interface Span extends TraceContext {
  name: string;
  kind: 'server' | 'client';
  endedAt: number;
  /** Names from closed lists, codes and numbers; never what people or devices sent. */
  attributes: Record<string, string | number>;
  failed: boolean;
}

export interface Tracer {
  /** Begins work for a `traceparent`, for the work that runs now, or for nobody else. */
  begin(traceparent?: string): TraceContext;
  /** What `work` begins belongs to this context. */
  run<T>(context: TraceContext, work: () => T): T;
  current(): TraceContext | undefined;
  end(context: TraceContext, span: Pick<Span, 'name' | 'kind' | 'attributes' | 'failed'>): void;
}

/** `percent` of all traces are exported: those whose random part is small, so that all servers choose the same. */
export function createTracer(percent: number, onSpan: (span: Span) => void): Tracer {
  const storage = new AsyncLocalStorage<TraceContext>();
  const isChosen = (traceId: string): boolean =>
    Number.parseInt(traceId.slice(-8), 16) < (percent / 100) * 2 ** 32;
  return {
    begin(traceparent) {
      const parent = parseTraceparent(traceparent) ?? storage.getStore();
      const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
      return {
        traceId,
        spanId: randomBytes(8).toString('hex'),
        parentId: parent?.spanId,
        sampled: parent?.sampled !== false && isChosen(traceId),
        startedAt: epochMs(),
      };
    },
    run: (context, work) => storage.run(context, work),
    current: () => storage.getStore(),
    end: (context, span) => {
      if (context.sampled) onSpan({ ...context, ...span, endedAt: epochMs() });
    },
  };
}

/** Monotonic, unlike the clock of the machine. */
const epochMs = (): number => performance.timeOrigin + performance.now();

export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Undefined if it is not one: clients can send anything. */
function parseTraceparent(
  text: string | undefined,
): Pick<TraceContext, 'traceId' | 'spanId' | 'sampled'> | undefined {
  const match = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(
    text ?? '',
  );
  const [, traceId, spanId, flags] = match ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
