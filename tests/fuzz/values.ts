/** Values for requests and messages, as JSON text: mostly such that fit a schema, else such that have hurt somebody before. */
import type { JsonSchema } from '@drawbridge/contract/schema';
import { jsonNumbers, keys, otherTypes, texts } from './corpus.ts';
import type { Dice } from './dice.ts';
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
  dice: Dice;
}

/** A value that fits, as JSON text. */
function fitting(making: Making, name: string, schema: JsonSchema): string {
  const { id, town, dice } = making;
  const kind = kindOf(id, name);
  if (kind) return JSON.stringify(dice.pick(town.things[kind]));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return JSON.stringify(dice.pick(schema.enum));
  if (schema.type === 'integer' || schema.type === 'number') return String(dice.whole(0, 100));
  if (schema.type === 'boolean') return String(dice.oneIn(2));
  if (schema.type === 'array') return `[${schema.items ? fitting(making, `${name}[]`, schema.items) : ''}]`;
  if (schema.type === 'object') return objectOf(making, schema);
  const secret = town.secrets[name];
  if (secret) return JSON.stringify(dice.pick(secret));
  return JSON.stringify(dice.pick(['Ann', 'web', 'passw0rd', 'office-7', 'Größe', '10.0.0.0/8']));
}

/** A value as JSON text: once in seven it is one that should not pass. */
export function valueOf(making: Making, name: string, schema: JsonSchema): string {
  const { dice } = making;
  if (!dice.oneIn(7)) return fitting(making, name, schema);
  return dice.pick([
    () => dice.pick(jsonNumbers),
    () => JSON.stringify(dice.pick(texts)),
    () => dice.pick(otherTypes),
    () => String(dice.whole(1, 400)),
  ])();
}

export function objectOf(making: Making, schema: JsonSchema): string {
  const { dice } = making;
  const fields = Object.entries(schema.properties ?? {})
    .filter(() => !dice.oneIn(9))
    .map(([name, inner]) => `${JSON.stringify(name)}:${valueOf(making, name, inner)}`);
  if (dice.oneIn(8)) fields.push(`${JSON.stringify(dice.pick(keys))}:${dice.pick(otherTypes)}`);
  if (dice.oneIn(12) && fields.length > 0) fields.push(dice.pick(fields));
  return `{${fields.join(',')}}`;
}
