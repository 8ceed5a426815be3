/** The settings of what is sent to an OpenTelemetry collector. */
import { setting, wholeNumber } from './setting.ts';

/** Where traces and metrics are sent. The headers may contain a secret: never log them. */
export interface OtlpConfig {
  endpoint: string;
  headers: Record<string, string>;
  tracePercent: number;
}

function toEndpoint(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, href } = new URL(text);
  return username === '' && password === '' ? href.replace(/\/+$/, '') : undefined;
}

/** `name=value` separated by commas, as OpenTelemetry writes them. */
function toHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)=([\x21-\x7e ]+)$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.toLowerCase(), pair![2]!.trim()]));
}

export const telemetrySettings = {
  otlp_endpoint: setting(toEndpoint, {
    says: 'OpenTelemetry collector to which traces and metrics are sent (OTLP over HTTP, JSON).',
    accepts: 'an http or https address, such as http://127.0.0.1:4318',
    default: '',
    absent: 'none are sent',
  }),
  otlp_headers: setting(toHeaders, {
    says: 'Headers that the collector requires, such as a key.',
    accepts: 'name=value pairs separated by commas',
    default: '',
    absent: 'none',
    secret: true,
  }),
  otlp_trace_percent: setting(wholeNumber(0, 100), {
    says: 'How many of 100 traces are sent.',
    accepts: 'a whole number from 0 to 100',
    default: '100',
  }),
};

interface GivenOtlp {
  otlp_endpoint?: string | undefined;
  otlp_headers?: Record<string, string> | undefined;
  otlp_trace_percent?: number | undefined;
}

export function otlpOf(settings: GivenOtlp): OtlpConfig | undefined {
  const {
    otlp_endpoint: endpoint,
    otlp_headers: headers = {},
    otlp_trace_percent: tracePercent = 100,
  } = settings;
  return endpoint === undefined ? undefined : { endpoint, headers, tracePercent };
}
