/**
 * Renders the templates of the Helm chart. It knows only the parts of the template language that the chart uses, and
 * throws on anything else: Helm itself is not in Debian.
 */
import { stringify } from 'yaml';

type Scope = Record<string, unknown>;
interface Rendered {
  text: string;
  /** The tokens after the `end` of this block. */
  rest: Token[];
}
type Token = { text: string } | { action: string };

export function renderTemplate(template: string, values: Scope, release: string): string {
  const { text, rest } = renderBlock(tokensOf(template), {
    '.Values': values,
    '.Release': { Name: release },
  });
  if (rest.length > 0) throw new Error('there is an end without a beginning');
  return text;
}

/** A dash removes the white space on its side. */
function tokensOf(template: string): Token[] {
  const trimmed = template.replace(/\s*\{\{- /g, '{{ ').replace(/ -\}\}\s*/g, ' }}');
  return trimmed
    .split(/(\{\{ .*? \}\})/)
    .map((part) => (part.startsWith('{{ ') ? { action: part.slice(3, -3) } : { text: part }));
}

function renderBlock(tokens: Token[], scope: Scope): Rendered {
  let [text, rest] = ['', tokens];
  for (;;) {
    const [token, ...more] = rest;
    if (!token) return { text, rest: [] };
    rest = more;
    if ('text' in token) text += token.text;
    else if (token.action === 'end') return { text, rest };
    else if (/^(if|range) /.test(token.action)) {
      const block = renderNested(token.action, rest, scope);
      text += block.text;
      rest = block.rest;
    } else text += evaluate(token.action, scope);
  }
}

function renderNested(action: string, tokens: Token[], scope: Scope): Rendered {
  const [, condition] = /^if (.+)$/.exec(action) ?? [];
  const { rest } = renderBlock(tokens, scope);
  if (condition)
    return { text: isTrue(callFunction(condition, scope)) ? renderBlock(tokens, scope).text : '', rest };
  const [, name, value, list] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(action) ?? [];
  if (!list) throw new Error(`not known: ${action}`);
  const scopes = Object.entries(lookUp(list, scope) as Scope).map((entry) => ({
    ...scope,
    [name!]: entry[0],
    [value!]: entry[1],
  }));
  return { text: scopes.map((each) => renderBlock(tokens, each).text).join(''), rest };
}

/** Go counts empty lists and maps as false too. */
const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

function evaluate(action: string, scope: Scope): string {
  const [first, ...filters] = action.split(' | ');
  return String(filters.reduce(applyFilter, callFunction(first!, scope)));
}

function callFunction(call: string, scope: Scope): unknown {
  const [name, ...args] = call.match(/"[^"]*"|\S+/g)!;
  const values = args.map((arg) => lookUp(arg, scope));
  if (args.length === 0) return lookUp(name, scope);
  if (name === 'printf')
    return values
      .slice(1)
      .reduce((text: string, each) => text.replace(/%[sv]/, String(each)), String(values[0]));
  if (name === 'add') return values.reduce((sum: number, each) => sum + Number(each), 0);
  if (name === 'ne') return values[0] !== values[1];
  if (name === 'toYaml') return stringify(values[0]).trimEnd();
  throw new Error(`not known: ${name}`);
}

function applyFilter(value: unknown, filter: string): unknown {
  if (filter === 'quote') return JSON.stringify(String(value));
  const [, width] = /^nindent (\d+)$/.exec(filter) ?? [];
  if (!width) throw new Error(`not known: ${filter}`);
  return `\n${String(value).replace(/^/gm, ' '.repeat(Number(width)))}`;
}

/** A string, a number, a variable or a path. A path that leads nowhere is an error. */
function lookUp(word: string, scope: Scope): unknown {
  if (/^["\d]/.test(word)) return JSON.parse(word);
  if (word.startsWith('$')) return scope[word];
  const [, first, ...path] = word.split('.');
  return path.reduce((place: unknown, name) => {
    const found = (place as Scope | undefined)?.[name];
    if (found === undefined) throw new Error(`there is no ${word}`);
    return found;
  }, scope[`.${first}`]);
}
