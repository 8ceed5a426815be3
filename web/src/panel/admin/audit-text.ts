/** Formats an entry of the audit log for people: the action, its outcome and its input. */
import type { OutputOf } from '../api.ts';
import { t } from '../texts/index.ts';

const texts = t.admin.audit;

export type AuditListItem = OutputOf<'v1/audit/list'>['data'][number];

/** The log prefixes the ids of the panel's own operations with this. */
export const panelOperationPrefix = 'panel/';

/** The action: the panel's text, else the first clause of the server's description, else the operation id. */
export function actionText({ operation, says }: Pick<AuditListItem, 'operation' | 'says'>): string {
  const known: Record<string, string> = {
    ...texts.onServer,
    ...Object.fromEntries(
      Object.entries(texts.panelActions).map(([id, text]) => [panelOperationPrefix + id, text]),
    ),
  };
  return known[operation] ?? (says === '' ? operation : says.replace(/[;:.].*$/, ''));
}

/** The name of what the action was applied to, if the input contains one. */
export function subjectText({ input }: Pick<AuditListItem, 'input'>): string {
  const named = ['email', 'name', 'filename', 'path'].map((field) => input[field]);
  return named.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

export const isDone = ({ outcome }: Pick<AuditListItem, 'outcome'>): boolean => outcome === 'done';

export function outcomeText({ outcome }: Pick<AuditListItem, 'outcome'>): string {
  if (outcome === 'done') return texts.done;
  return texts.because[outcome] ?? texts.otherwise(outcome);
}

/** Lists the input as names and values; a nested value gets the names of all its levels. */
export function flattenInput(input: Record<string, unknown>): [string, string][] {
  return Object.entries(input).flatMap(([name, value]) => flattenValue(name.replaceAll('_', ' '), value));
}

function flattenValue(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === '') return [[name, texts.nothing]];
  if (typeof value === 'boolean') return [[name, value ? texts.given.yes : texts.given.no]];
  if (Array.isArray(value))
    return [[name, value.length === 0 ? texts.nothing : value.map(inOneLine).join(', ')]];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([inner, part]) =>
      flattenValue(`${name}, ${inner.replaceAll('_', ' ')}`, part),
    );
  return [[name, inOneLine(value)]];
}

const inOneLine = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
