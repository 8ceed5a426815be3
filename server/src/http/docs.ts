/** The interactive API reference at /docs, from local files. */
import type { Page } from './pages.ts';

export const docsPages = (): Map<string, () => Page | Promise<Page>> => new Map();
