/** One line of the audit log as people read it: what was tried, how it ended, and with what. */
import type { OutputOf } from '../api.ts';
import { t } from '../texts/index.ts';

const texts = t.admin.audit;

export type AuditListItem = OutputOf<'v1/audit/list'>['data'][number];

/** Where the operations of the panel itself stand in the log. */
export const panelOperationPrefix = 'panel/';

/** What was tried. The server's own sentence, where it has one for it, without what it says beyond the deed. */
export function actionText({ operation, says }: Pick<AuditListItem, 'operation' | 'says'>): string {
  const known: Record<string, string> = {
    ...texts.onServer,
    ...Object.fromEntries(
      Object.entries(texts.deeds).map(([id, words]) => [panelOperationPrefix + id, words]),
    ),
  };
  return known[operation] ?? (says === '' ? operation : says.replace(/[;:.].*$/, ''));
}

/** What it was about, where that is told by a name. */
export function subjectText({ input }: Pick<AuditListItem, 'input'>): string {
  const named = ['email', 'name', 'filename', 'path'].map((field) => input[field]);
  return named.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

export const isDone = ({ outcome }: Pick<AuditListItem, 'outcome'>): boolean => outcome === 'done';

export function outcomeText({ outcome }: Pick<AuditListItem, 'outcome'>): string {
  if (outcome === 'done') return texts.done;
  return texts.because[outcome] ?? texts.otherwise(outcome);
}

/** What was given along, name by name, with what is inside of something under the name of both. */
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
