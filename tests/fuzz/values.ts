/** Values for requests and messages, as JSON text: mostly such that fit a schema, else such that have hurt somebody before. */
import type { JsonSchema } from '@drawbridge/contract/schema';
import { jsonNumbers, keys, otherTypes, texts } from './corpus.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Kind, Town } from './town.ts';

/** Which things a parameter names, by its name and its row. */
function kindOf(id: string, name: string): Kind | undefined {
  if (name === 'email') return 'email';
  if (name === 'connection_id' || name === 'support_id') return 'connection';
  const [, named] = /(?:^|_)(agent|device|group|role|department)_id$/.exec(name) ?? [];
  if (named) return named as Kind;
  if (name !== 'id') return undefined;
  const [, area] = /^(agent|group|team\/role|team\/department|key)/.exec(id) ?? [];
  return area?.replace('team/', '') as Kind | undefined;
}

/** What a request is made from. */
export interface Making {
  /** Of the row, or of the kind of message. */
  id: string;
  town: Town;
  random: SeededRandom;
}

/** A value that fits, as JSON text. */
function fitting(making: Making, name: string, schema: JsonSchema): string {
  const { id, town, random } = making;
  const kind = kindOf(id, name);
  if (kind) return JSON.stringify(random.pick(town.things[kind]));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return JSON.stringify(random.pick(schema.enum));
  if (schema.type === 'integer' || schema.type === 'number') return String(random.whole(0, 100));
  if (schema.type === 'boolean') return String(random.oneIn(2));
  if (schema.type === 'array') return `[${schema.items ? fitting(making, `${name}[]`, schema.items) : ''}]`;
  if (schema.type === 'object') return objectOf(making, schema);
  const secret = town.secrets[name];
  if (secret) return JSON.stringify(random.pick(secret));
  return JSON.stringify(random.pick(['Ann', 'web', 'passw0rd', 'office-7', 'Größe', '10.0.0.0/8']));
}

/** A value as JSON text: once in seven it is one that should not pass. */
export function valueOf(making: Making, name: string, schema: JsonSchema): string {
  const { random } = making;
  if (!random.oneIn(7)) return fitting(making, name, schema);
  return random.pick([
    () => random.pick(jsonNumbers),
    () => JSON.stringify(random.pick(texts)),
    () => random.pick(otherTypes),
    () => String(random.whole(1, 400)),
  ])();
}

export function objectOf(making: Making, schema: JsonSchema): string {
  const { random } = making;
  const fields = Object.entries(schema.properties ?? {})
    .filter(() => !random.oneIn(9))
    .map(([name, inner]) => `${JSON.stringify(name)}:${valueOf(making, name, inner)}`);
  if (random.oneIn(8)) fields.push(`${JSON.stringify(random.pick(keys))}:${random.pick(otherTypes)}`);
  if (random.oneIn(12) && fields.length > 0) fields.push(random.pick(fields));
  return `{${fields.join(',')}}`;
}
