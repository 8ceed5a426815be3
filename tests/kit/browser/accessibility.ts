/** What a page does wrong for those who do not see, hear or point as others do, found by axe-core inside the page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AnyPage } from './any-page.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  help: string;
  html: string;
  message: string;
}

interface AxeOptions {
  /** The part of the page that is looked at, as an expression in it. */
  part?: string;
  /** The one rule it is measured by. */
  only?: string;
}

/** What axe-core finds, one for each element, as plain values that leave the page. */
const axeScript = ({ part = 'document', only }: AxeOptions): string => `axe.run(${part}, {
    resultTypes: ['violations'],
    ...${JSON.stringify(only ? { runOnly: [only] } : {})},
  }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => ({ id, help, html: node.html.slice(0, 160), message: node.any[0]?.message ?? '' }))))`;

/** Each as one line; none when all is well. Runs beside the page's own policy, as a person's tool does. */
export async function accessibilityProblems(page: AnyPage, within: AxeOptions = {}): Promise<string[]> {
  await page.evaluate(`globalThis.axe || (() => { ${source} })(), true`);
  const found = await page.evaluate<Finding[]>(axeScript(within));
  return found.map(({ id, help, html, message }) => `${id}: ${help}: ${html} ${message}`);
}
