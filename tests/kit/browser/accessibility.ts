/** Accessibility faults of a page, found by axe-core inside the page. */
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
  /** The part of the page that is checked, as an expression in the page. */
  part?: string;
  /** The only rule to check. */
  only?: string;
}

/** What axe-core finds, one entry per element, as plain values that can leave the page. */
const axeScript = ({ part = 'document', only }: AxeOptions): string => `axe.run(${part}, {
    resultTypes: ['violations'],
    ...${JSON.stringify(only ? { runOnly: [only] } : {})},
  }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => ({ id, help, html: node.html.slice(0, 160), message: node.any[0]?.message ?? '' }))))`;

/**
 * One line per fault; none if all is well. Runs outside the page's content security policy, as a person's own
 * tool does.
 */
export async function accessibilityProblems(page: AnyPage, within: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`)))
    await page.evaluate(`(() => { ${source} })(), true`);
  const found = await page.evaluate<Finding[]>(axeScript(within));
  return found.map(({ id, help, html, message }) => `${id}: ${help}: ${html} ${message}`);
}
