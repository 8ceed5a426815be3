/**
 * Values for requests and messages, as JSON text: mostly valid for a schema, else values that have caused
 * trouble before.
 */
import type { JsonSchema } from '@drawbridge/contract/documents/schema';
import { jsonNumbers, oddKeys, otherTypes, oddTexts } from './corpus.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { FixtureKind, FuzzFixture } from './fixture.ts';

/** Which things a parameter names, by its name and its row. */
function kindOf(id: string, name: string): FixtureKind | undefined {
  if (name === 'email') return 'email';
  if (name === 'connection_id' || name === 'support_id') return 'connection';
  const [, named] = /(?:^|_)(agent|device|group|role|department)_id$/.exec(name) ?? [];
  if (named) return named as FixtureKind;
  if (name !== 'id') return undefined;
  const [, area] = /^(agent|group|team\/role|team\/department|key)/.exec(id) ?? [];
  return area?.replace('team/', '') as FixtureKind | undefined;
}

/** What a request is made from. */
export interface GenerationContext {
  /** Of the row, or of the kind of message. */
  id: string;
  fixture: FuzzFixture;
  random: SeededRandom;
}

/** A value that fits, as JSON text. */
function fitting(making: GenerationContext, name: string, schema: JsonSchema): string {
  const { id, fixture, random } = making;
  const kind = kindOf(id, name);
  if (kind) return JSON.stringify(random.pick(fixture.things[kind]));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return JSON.stringify(random.pick(schema.enum));
  if (schema.type === 'integer' || schema.type === 'number') return String(random.whole(0, 100));
  if (schema.type === 'boolean') return String(random.oneIn(2));
  if (schema.type === 'array') return `[${schema.items ? fitting(making, `${name}[]`, schema.items) : ''}]`;
  if (schema.type === 'object') return objectOf(making, schema);
  const secret = fixture.secrets[name];
  if (secret) return JSON.stringify(random.pick(secret));
  return JSON.stringify(random.pick(['Ann', 'web', 'passw0rd', 'office-7', 'Größe', '10.0.0.0/8']));
}

/** A value as JSON text: one in seven should be refused. */
export function valueOf(making: GenerationContext, name: string, schema: JsonSchema): string {
  const { random } = making;
  if (!random.oneIn(7)) return fitting(making, name, schema);
  return random.pick([
    () => random.pick(jsonNumbers),
    () => JSON.stringify(random.pick(oddTexts)),
    () => random.pick(otherTypes),
    () => String(random.whole(1, 400)),
  ])();
}

export function objectOf(making: GenerationContext, schema: JsonSchema): string {
  const { random } = making;
  const fields = Object.entries(schema.properties ?? {})
    .filter(() => !random.oneIn(9))
    .map(([name, inner]) => `${JSON.stringify(name)}:${valueOf(making, name, inner)}`);
  if (random.oneIn(8)) fields.push(`${JSON.stringify(random.pick(oddKeys))}:${random.pick(otherTypes)}`);
  if (random.oneIn(12) && fields.length > 0) fields.push(random.pick(fields));
  return `{${fields.join(',')}}`;
}
