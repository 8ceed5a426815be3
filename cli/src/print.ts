/** Prints replies for people: lists as tables, records as lines. */
import { truncateToWidth, padToWidth, valueText, widthOf } from './text.ts';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFields);

/** Formats one JSON object. Control characters that JSON does not escape are escaped too, so that they never reach a terminal. */
export const toSafeJson = (reply: unknown): string =>
  JSON.stringify(reply).replace(/[\x7f-\x9f\u2028\u2029]|\p{Cf}/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );

export function formatReply(reply: Fields, columns: number): string {
  const { status: _number, data, ...rest } = reply;
  if (Array.isArray(data)) {
    const more = Object.keys(rest).length > 0 ? `\n\n${formatRecord(rest, columns)}` : '';
    return (
      (data.length === 0
        ? 'none'
        : formatTable(
            data.filter(isFields).map((item) => flatten(item)),
            columns,
          )) + more
    );
  }
  const fields = isFields(data) ? { ...rest, ...data } : rest;
  return Object.keys(fields).length === 0 ? 'done' : formatRecord(fields, columns);
}

/** Joins the names of nested fields with dots; lists are kept. */
function flatten(fields: Fields, prefix = ''): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      isFields(value) ? Object.entries(flatten(value, `${prefix}${key}.`)) : [[`${prefix}${key}`, value]],
    ),
  );
}

/** Prints lines of name and value, then each list of records as a table below its name. */
function formatRecord(fields: Fields, columns: number): string {
  const entries = Object.entries(flatten(fields));
  const lines = entries.filter(([, value]) => !isList(value));
  const width = Math.max(0, ...lines.map(([name]) => widthOf(name)));
  const tables = entries.flatMap(([name, value]) =>
    isList(value)
      ? [
          `${name}:\n${formatTable(
            value.map((item) => flatten(item)),
            columns,
          )}`,
        ]
      : [],
  );
  const head = lines
    .map(([name, value]) => `${padToWidth(name, width)}  ${valueText(name, value)}`)
    .join('\n');
  return [head, ...tables].filter((part) => part !== '').join('\n\n');
}

interface Column {
  name: string;
  cells: string[];
  width: number;
}

/** Shown first if not all columns fit. */
const priorityColumns = [
  'id',
  'device_id',
  'name',
  'email',
  'group',
  'online',
  'os',
  'status',
  'operation',
  'outcome',
];
const maxColumnWidth = 40;
const gap = 2;

function formatTable(rows: Fields[], columns: number): string {
  const all = [...new Set(rows.flatMap(Object.keys))].map((name) => toColumn(name, rows));
  const shown = fitColumns(all, columns);
  const toLine = (texts: string[]): string =>
    texts
      .map((text, at) => padToWidth(truncateToWidth(text, shown[at]?.width ?? 0), shown[at]?.width ?? 0))
      .join('  ')
      .trimEnd();
  const body = rows.map((_, at) => toLine(shown.map(({ cells }) => cells[at] ?? '')));
  const left = all.length - shown.length;
  const note =
    left === 0 ? [] : [`(${left} more ${left === 1 ? 'column' : 'columns'}: --json shows everything)`];
  return [toLine(shown.map(({ name }) => name.toUpperCase())), ...body, ...note].join('\n');
}

function toColumn(name: string, rows: Fields[]): Column {
  const cells = rows.map((row) => valueText(name, row[name]));
  return { name, cells, width: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(name)) };
}

/** Selects as many columns as fit, the most important first. Without a limit, all are shown in full. */
function fitColumns(all: Column[], columns: number): Column[] {
  const total = all.reduce((sum, { width }) => sum + width + gap, -gap);
  if (total <= columns) return all;
  const rank = ({ name }: Column): number => (priorityColumns.includes(name) ? 0 : 1);
  const chosen = new Set<Column>();
  let remaining = columns + gap;
  for (const column of all.toSorted((a, b) => rank(a) - rank(b))) {
    const width = Math.min(column.width, maxColumnWidth) + gap;
    if (width > remaining && chosen.size > 0) continue;
    chosen.add(column);
    remaining -= width;
  }
  return all
    .filter((column) => chosen.has(column))
    .map((column) => ({ ...column, width: Math.min(column.width, maxColumnWidth, columns) }));
}
