/** A Helm chart as tests read it: its values, its schema, and the resources that its templates make. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderTemplate } from './render-template.ts';

interface Schema {
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: { not: { enum: string[] } };
  required?: string[];
  additionalProperties?: boolean | Schema;
  pattern?: string;
  minLength?: number;
  enum?: string[];
}
interface Container {
  args?: string[];
  env: { name: string; value?: string; valueFrom?: object }[];
  envFrom?: object[];
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
}
export interface Probe {
  httpGet: { path: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}
export interface ChartResource {
  kind: string;
  metadata: { name: string };
  spec: {
    template: {
      spec: { containers: Container[]; volumes: { name: string }[]; terminationGracePeriodSeconds: number };
    };
    egress: { ports: { port: number }[] }[];
    type?: string;
    externalTrafficPolicy?: string;
    maxUnavailable?: number;
  };
}

export function openChart(chart: string) {
  const folder = join(import.meta.dirname, '../../deploy/helm', chart);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const given = parse(read('values.yaml')) as Record<string, unknown> & { drainSeconds: number };
  return {
    values: given,
    schema: JSON.parse(read('values.schema.json')) as Schema,
    /** All resources that the chart makes of these values. */
    render: (changes: Record<string, unknown> = {}): ChartResource[] =>
      globSync('templates/*.yaml', { cwd: folder }).flatMap((name) =>
        parseAllDocuments(renderTemplate(read(name), { ...given, ...changes }, 'help')).flatMap(
          (document) => {
            assert.deepEqual(document.errors, [], name);
            return (document.toJS() as ChartResource | null) ?? [];
          },
        ),
      ),
  };
}

export const serverOf = (resources: ChartResource[]): Container =>
  resources.find(({ kind }) => kind === 'StatefulSet')!.spec.template.spec.containers[0]!;

/** What of the value does not fit the schema. */
export function problemsOf(value: unknown, rule: Schema, path: string): string[] {
  if (rule.minLength && String(value).length < rule.minLength) return [`${path} is empty`];
  if (rule.pattern && !new RegExp(rule.pattern).test(String(value))) return [`${path} does not fit`];
  const { items } = rule;
  if (items) return (value as unknown[]).flatMap((each, at) => problemsOf(each, items, `${path}[${at}]`));
  if (rule.type !== 'object' || !rule.properties) return [];
  const given = value as Record<string, unknown>;
  const { properties, required = [], additionalProperties } = rule;
  return [
    ...required.filter((name) => !(name in given)).map((name) => `${path}.${name} is missing`),
    ...Object.keys(given)
      .filter((name) => !properties[name] && additionalProperties === false)
      .map((name) => `${path}.${name} is unknown`),
    ...Object.keys(given).flatMap((name) =>
      properties[name] ? problemsOf(given[name], properties[name], `${path}.${name}`) : [],
    ),
  ];
}
