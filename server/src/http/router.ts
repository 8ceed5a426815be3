/** Finds what answers a request: by its exact path, or by a pattern with named parts such as `/p/:path` or a rest such as `/panel/*`. */

/** Longer parts are no part of any path of ours. */
const maxPartLength = 100;

export interface Match<Target> {
  target: Target;
  /** The named parts of the path; the rest is named `*`. */
  params: Record<string, string>;
}

export interface Router<Target> {
  /** A target for GET also answers HEAD. Throws if there is one for this method and path already. */
  add(method: string, path: string, target: Target): void;
  find(method: string, path: string): Match<Target> | undefined;
}

interface Pattern<Target> {
  expression: RegExp;
  names: string[];
  /** One digit per part: 0 for fixed text, 1 for a named part, 2 for the rest. */
  kinds: string;
  target: Target;
}

interface MethodRoutes<Target> {
  exact: Map<string, Match<Target>>;
  /** The most specific first. */
  patterns: Pattern<Target>[];
}

export function createRouter<Target>(): Router<Target> {
  const methods = new Map<string, MethodRoutes<Target>>();
  return {
    add(method, path, target) {
      for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const routes = methods.get(each) ?? { exact: new Map(), patterns: [] };
        methods.set(each, routes);
        addRoute(routes, path, target);
      }
    },
    find(method, path) {
      const routes = methods.get(method);
      return routes && (routes.exact.get(path) ?? findPattern(routes.patterns, path));
    },
  };
}

function addRoute<Target>({ exact, patterns }: MethodRoutes<Target>, path: string, target: Target): void {
  // Most paths are exact. An expression for each of them would delay the start.
  const pattern = path.split('/').some(isNamed) ? toPattern(path, target) : undefined;
  const isKnown = pattern
    ? patterns.some((each) => each.expression.source === pattern.expression.source)
    : exact.has(path);
  if (isKnown) throw new Error(`two routes have the path ${path}`);
  if (!pattern) return void exact.set(path, { target, params: {} });
  patterns.push(pattern);
  // As text, so that fixed text comes before a named part, and that before the rest, wherever two patterns first differ.
  patterns.sort((one, other) => (one.kinds < other.kinds ? -1 : 1));
}

const isNamed = (part: string): boolean => part === '*' || part.startsWith(':');

function toPattern<Target>(path: string, target: Target): Pattern<Target> {
  const parts = path.split('/').map(toPart);
  const names = parts.flatMap(({ name }) => name ?? []);
  const expression = new RegExp(`^${parts.map(({ source }) => source).join('/')}$`, 's');
  return { expression, names, kinds: parts.map(({ kind }) => kind).join(''), target };
}

function toPart(text: string): { kind: number; source: string; name?: string } {
  if (text === '*') return { kind: 2, source: '(.*)', name: text };
  if (text.startsWith(':')) return { kind: 1, source: `([^/]{0,${maxPartLength}})`, name: text.slice(1) };
  return { kind: 0, source: RegExp.escape(text) };
}

function findPattern<Target>(patterns: readonly Pattern<Target>[], path: string): Match<Target> | undefined {
  for (const { expression, names, target } of patterns) {
    const found = expression.exec(path);
    if (found)
      return { target, params: Object.fromEntries(names.map((name, index) => [name, found[index + 1]!])) };
  }
  return undefined;
}
