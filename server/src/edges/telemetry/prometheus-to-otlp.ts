/** Turns the metrics from the text format of Prometheus into those of OTLP, so that both say the same. */

interface Point {
  attributes: object[];
  startTimeUnixNano: string;
  timeUnixNano: string;
}

export interface OtlpMetric {
  name: string;
  description: string;
  gauge?: { dataPoints: (Point & { asDouble: number })[] };
  sum?: { dataPoints: (Point & { asDouble: number })[]; aggregationTemporality: 2; isMonotonic: true };
  histogram?: { dataPoints: HistogramPoint[]; aggregationTemporality: 2 };
}

interface HistogramPoint extends Point {
  count: string;
  sum: number;
  bucketCounts: string[];
  explicitBounds: number[];
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Since the counters began, in OTLP's terms. */
const cumulative = 2;

export const attributesOf = (values: Record<string, string | number>): object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

export function prometheusToOtlp(text: string, startedAt: number, now: number): OtlpMetric[] {
  const times = {
    startTimeUnixNano: `${Math.round(startedAt)}000000`,
    timeUnixNano: `${Math.round(now)}000000`,
  };
  const toPoint = ({ labels }: Sample): Point => ({ attributes: attributesOf(labels), ...times });
  return text.split(/^(?=# HELP )/m).flatMap((family): OtlpMetric[] => {
    const [, name, description] = /^# HELP (\S+) (.*)$/m.exec(family) ?? [];
    const type = /^# TYPE \S+ (\w+)$/m.exec(family)?.[1];
    if (name === undefined || description === undefined) return [];
    const samples = samplesIn(family);
    const metric = { name, description };
    const toNumber = (sample: Sample) => ({ ...toPoint(sample), asDouble: sample.value });
    if (type === 'gauge') return [{ ...metric, gauge: { dataPoints: samples.map(toNumber) } }];
    if (type === 'counter') {
      const dataPoints = samples.map(toNumber);
      return [{ ...metric, sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } }];
    }
    if (type !== 'histogram') return [];
    const dataPoints = histogramPoints(name, samples, toPoint);
    return [{ ...metric, histogram: { dataPoints, aggregationTemporality: cumulative } }];
  });
}

function samplesIn(family: string): Sample[] {
  return [...family.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gim)].flatMap(([, name, labels, value]) => {
    const number = Number(value);
    return Number.isFinite(number) ? [{ name: name!, labels: labelsIn(labels ?? ''), value: number }] : [];
  });
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key!, value!]),
  );

function histogramPoints(
  name: string,
  samples: readonly Sample[],
  toPoint: (sample: Sample) => Point,
): HistogramPoint[] {
  const groups = Map.groupBy(samples, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...groups].flatMap(([labels, group]) => {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const valueOf = (suffix: string): number =>
      group.find((sample) => sample.name === name + suffix)?.value ?? 0;
    if (buckets.length === 0) return [];
    const own = { name, labels: JSON.parse(labels) as Record<string, string>, value: 0 };
    return {
      ...toPoint(own),
      count: String(valueOf('_count')),
      sum: valueOf('_sum'),
      // Prometheus counts each observation in all larger buckets too.
      bucketCounts: buckets.map(({ value }, at) => String(value - (buckets[at - 1]?.value ?? 0))),
      explicitBounds: buckets.slice(0, -1).map((bucket) => Number(bucket.labels['le'])),
    };
  });
}
