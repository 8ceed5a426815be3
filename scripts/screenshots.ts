/** Takes the screenshots in docs/pictures again: all of them, or only the given kinds. */
import { takePanelScreenshots } from './pictures/panel.ts';
import { takeSessionScreenshots } from './pictures/sessions.ts';

const kinds: Record<string, () => Promise<void>> = {
  sessions: takeSessionScreenshots,
  panel: takePanelScreenshots,
};

const named = process.argv.slice(2);
const unknown = named.find((each) => !Object.hasOwn(kinds, each));
if (unknown !== undefined)
  throw new Error(`There are no screenshots of ${unknown}, only of ${Object.keys(kinds).join(' and ')}.`);
for (const [kind, take] of Object.entries(kinds))
  if (named.length === 0 || named.includes(kind)) await take();
