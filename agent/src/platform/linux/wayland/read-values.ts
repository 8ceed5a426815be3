/** Reads what the process of the signed-in person says about Wayland. It is bounded, because that process is not trusted. */
import { flagIn, listIn, recordIn, textIn } from '../../helper/plain-values.ts';
import type { PathReport } from './wayland-path.ts';

const [maxPaths, maxWarnings] = [16, 16];
const [maxNameLength, maxSentenceLength] = [200, 1_000];
export const maxTokenLength = 500;

/** What a helper says after it has opened the desktop. */
export function openedIn(value: unknown): { untold?: string; lockedNote?: string; hasDrags: boolean } {
  const { untold, lockedNote, hasDrags } = recordIn(value);
  return {
    hasDrags: flagIn(hasDrags),
    ...(untold !== undefined && { untold: textIn(untold, maxSentenceLength) }),
    ...(lockedNote !== undefined && { lockedNote: textIn(lockedNote, maxSentenceLength) }),
  };
}

export const tokenIn = (value: unknown): string => textIn(value, maxTokenLength);

export const reportsIn = (value: unknown): PathReport[] =>
  listIn(value, maxPaths, (item) => {
    const { name, whyNot, warnings } = recordIn(item);
    return {
      name: textIn(name, maxNameLength),
      ...(whyNot !== undefined && { whyNot: textIn(whyNot, maxSentenceLength) }),
      ...(warnings !== undefined && {
        warnings: listIn(warnings, maxWarnings, (each) => textIn(each, maxSentenceLength)),
      }),
    };
  });
