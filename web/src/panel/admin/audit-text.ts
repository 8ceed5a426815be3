/** Formats an entry of the audit log for people: a sentence, its outcome and its input. */
import { personLabel, type PersonNames } from '../team/people/person-label.ts';
import { auditSentences } from '../texts/audit-sentences.ts';
import { t } from '../texts/index.ts';
import {
  entitiesOf,
  entityKey,
  type AuditListItem,
  type EntityKind,
  type EntityNames,
} from './audit-entities.ts';

const texts = t.admin.audit;

type Entry = Pick<AuditListItem, 'operation' | 'input' | 'email'>;

export interface AuditNames {
  entities: EntityNames;
  people: PersonNames;
}

/** Who acted. */
export function subjectText(
  { operation, email }: Pick<Entry, 'operation' | 'email'>,
  people: PersonNames,
): string {
  if (auditSentences[operation]?.byAnybody) return texts.somebody;
  if (email === 'server operator') return texts.serverAdministrator;
  if (email === 'server') return texts.server;
  return email === '' ? texts.notSignedIn : personLabel(email, people);
}

/** A name with what belongs to it; empty without one. */
const quoted = (value: unknown, withName: (name: string) => string): string =>
  typeof value === 'string' && value !== '' ? withName(value) : '';

const numbered = (value: unknown, what: (id: number) => string, otherwise: string): string =>
  typeof value === 'number' ? what(value) : otherwise;

/** The record of a kind that an entry refers to, by name if it is known; `at` counts those of the kind. */
function entityText(entry: Entry, { entities }: AuditNames, kind: EntityKind, at = 0): string {
  const found = entitiesOf(entry).filter((each) => each.kind === kind)[at];
  if (!found) return texts.entities[kind].any;
  const name = entities.get(entityKey(found));
  return texts.entities[kind].one(name ?? texts.number(found.id));
}

/** The device or group on which a role is given; empty for a role that needs neither. */
function whereText(entry: Entry, names: AuditNames): string {
  const kind = (['agent', 'group'] as const).find((each) =>
    entitiesOf(entry).some((found) => found.kind === each),
  );
  return kind === undefined ? '' : texts.on(entityText(entry, names, kind));
}

/** What each name in braces stands for. */
const parts: Record<string, (entry: Entry, names: AuditNames) => string> = {
  device: (entry, names) => entityText(entry, names, 'agent'),
  'second device': (entry, names) => entityText(entry, names, 'agent', 1),
  group: (entry, names) => entityText(entry, names, 'group'),
  role: (entry, names) => entityText(entry, names, 'role'),
  department: (entry, names) => entityText(entry, names, 'department'),
  where: whereText,
  person: ({ input: { email } }, { people }) =>
    typeof email === 'string' && email !== '' ? personLabel(email, people) : texts.anyPersonInSentence,
  owner: ({ email }, { people }) => (email === '' ? texts.anyPersonInSentence : personLabel(email, people)),
  name: ({ input }) => quoted(input['name'], texts.quoted),
  'to name': ({ input }) => quoted(input['name'], texts.toQuoted),
  session: ({ input }) => numbered(input['session'] ?? input['id'], texts.session, texts.anySession),
  invitation: ({ input }) =>
    numbered(input['support_id'] ?? input['connection_id'], texts.invitation, texts.anyInvitation),
  'device or client': (entry, names) =>
    typeof entry.input['support_id'] === 'number'
      ? texts.clientOf(texts.invitation(entry.input['support_id']))
      : entityText(entry, names, 'agent'),
  started: ({ input }) => texts.recording.started[String(input['on'])] ?? texts.recording.started['either']!,
  start: ({ input }) => texts.recording.start[String(input['on'])] ?? texts.recording.start['either']!,
  'ended by': ({ input }) => texts.endedBy[String(input['by'])] ?? texts.endedBy['operator']!,
};

const fillIn = (sentence: string, entry: Entry, names: AuditNames): string =>
  sentence.replace(/\{([\w ]+)\}/g, (_match, part: string) => parts[part]!(entry, names));

/** The sentence of an entry without its subject, which is `subjectText`. */
export function sentenceText(entry: Entry & Pick<AuditListItem, 'outcome'>, names: AuditNames): string {
  const { operation, outcome } = entry;
  const known = auditSentences[operation];
  const done = known ? fillIn(known.done, entry, names) : texts.unknownDone(operation);
  if (outcome === 'done') return `${done}.`;
  const tried = known ? fillIn(known.tried, entry, names) : texts.unknownTried(operation);
  const because = importProblem(entry, t.directories.becauseOf) ?? texts.because[outcome];
  return texts.triedBut(tried, because ?? texts.otherwise(outcome));
}

const imports = ['team/directory/run', 'server/directory-run'];

/** Why an import from a directory changed nothing; undefined for everything else. */
const importProblem = (
  { operation, outcome }: Pick<AuditListItem, 'operation' | 'outcome'>,
  problemTexts: Readonly<Record<string, string>>,
): string | undefined => (imports.includes(operation) ? problemTexts[outcome] : undefined);

const nobody: AuditNames = { entities: new Map(), people: new Map() };

/** An action by itself, such as "Reboot a device", for the filter. */
export function actionText(operation: string): string {
  const known = auditSentences[operation];
  const text = known ? fillIn(known.tried, { operation, email: '', input: {} }, nobody) : operation;
  const action = text.charAt(0).toUpperCase() + text.slice(1);
  return operation.startsWith('server/') ? texts.onServer(action) : action;
}

export const isDone = ({ outcome }: Pick<AuditListItem, 'outcome'>): boolean => outcome === 'done';

export const outcomeText = (entry: Pick<AuditListItem, 'operation' | 'outcome'>): string =>
  importProblem(entry, t.directories.shortProblems) ?? texts.outcomes[entry.outcome] ?? texts.refused;

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
