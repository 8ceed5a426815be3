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

/** How a reply is laid out. */
export interface PrintLayout {
  /** Width of the terminal in cells; Infinity if the output is not a terminal. */
  width: number;
  /** The names of the fields to show, in this order; all of them if absent. */
  columns?: readonly string[] | undefined;
}

export function formatReply(reply: Fields, layout: PrintLayout): string {
  const { status: _number, data, ...rest } = reply;
  if (!Array.isArray(data)) {
    const fields = isFields(data) ? { ...rest, ...data } : rest;
    return Object.keys(fields).length === 0 ? 'done' : formatRecord(fields, layout);
  }
  const rows = data.filter(isFields).map((item) => flatten(item));
  const more = Object.keys(rest).length > 0 ? `\n\n${formatRecord(rest, { width: layout.width })}` : '';
  return (rows.length === 0 ? 'none' : formatTable(rows, layout)) + more;
}

/** Joins the names of nested fields with dots; lists are kept. */
function flatten(fields: Fields, prefix = ''): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      isFields(value) ? Object.entries(flatten(value, `${prefix}${key}.`)) : [[`${prefix}${key}`, value]],
    ),
  );
}

/** The chosen names, in the order of the choice. The name of an object stands for everything in it. */
const choose = (names: string[], chosen: readonly string[] | undefined): string[] =>
  chosen?.flatMap((wanted) => {
    const isWanted = (name: string): boolean => name === wanted || name.startsWith(`${wanted}.`);
    return names.some(isWanted) ? names.filter(isWanted) : [wanted];
  }) ?? names;

/** Prints lines of name and value, then each list of records as a table below its name. */
function formatRecord(fields: Fields, { width, columns }: PrintLayout): string {
  const flat = flatten(fields);
  const names = choose(Object.keys(flat), columns);
  const lines = names.filter((name) => !isList(flat[name]));
  const nameWidth = Math.max(0, ...lines.map(widthOf));
  const tables = names.flatMap((name) => {
    const value = flat[name];
    const rows = isList(value) ? value.map((item) => flatten(item)) : [];
    return rows.length > 0 ? [`${name}:\n${formatTable(rows, { width })}`] : [];
  });
  const head = lines
    .map((name) => `${padToWidth(name, nameWidth)}  ${valueText(name, flat[name])}`)
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

function formatTable(rows: Fields[], { width, columns }: PrintLayout): string {
  const names = choose([...new Set(rows.flatMap(Object.keys))], columns);
  const all = names.map((name) => toColumn(name, rows));
  const shown = fitColumns(columns === undefined ? all : narrowColumns(all, width), width);
  const toLine = (texts: string[]): string =>
    texts
      .map((text, at) => padToWidth(truncateToWidth(text, shown[at]?.width ?? 0), shown[at]?.width ?? 0))
      .join('  ')
      .trimEnd();
  const body = rows.map((_, at) => toLine(shown.map(({ cells }) => cells[at] ?? '')));
  const left = all.length - shown.length;
  const note =
    left === 0 ? [] : [`(${left} more ${left === 1 ? 'column' : 'columns'}: see --columns and --json)`];
  return [toLine(shown.map(({ name }) => name.toUpperCase())), ...body, ...note].join('\n');
}

function toColumn(name: string, rows: Fields[]): Column {
  const cells = rows.map((row) => valueText(name, row[name]));
  return { name, cells, width: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(name)) };
}

/** The width of the table if no column is wider than `most`. */
const totalWidth = (all: Column[], most: number): number =>
  all.reduce((sum, { width }) => sum + Math.min(width, most) + gap, -gap);

/** Keeps all columns and makes the widest ones narrower until the table fits. */
function narrowColumns(all: Column[], columns: number): Column[] {
  let most = Math.min(columns, Math.max(...all.map(({ width }) => width)));
  while (most > 1 && totalWidth(all, most) > columns) most -= 1;
  return all.map((column) => ({ ...column, width: Math.min(column.width, most) }));
}

/** Selects as many columns as fit, the most important first. Without a limit, all are shown in full. */
function fitColumns(all: Column[], columns: number): Column[] {
  if (totalWidth(all, Infinity) <= columns) return all;
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
