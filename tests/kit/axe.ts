/** What a page does wrong for those who do not see, hear or point as others do, found by axe-core inside the page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserPage } from './browser-page.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; any: { message: string }[] }[];
}

/** Each as one line; none when all is well. Runs beside the page's own policy, as a person's tool does. */
export async function complaints(page: BrowserPage): Promise<string[]> {
  await page.send('Runtime.evaluate', { expression: `globalThis.axe || (() => { ${source} })()` });
  const { violations } = await page.evaluate<{
    violations: Violation[];
  }>(`axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => ({ violations: violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, any }) => ({ html, any: any.map(({ message }) => ({ message })) })) })) }))`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  );
}
