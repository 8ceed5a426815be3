/** The path of a request target, in its only accepted spelling. */

const httpUrl = /^https?:\/\//i;
/** As clients send it to a proxy. A fragment is not part of a request. */
const absoluteUrl = /^https?:\/\/[^/?#]+(\/[^?#]*)?(?:\?[^#]*)?$/i;

/**
 * Returns undefined if the path has an escape or a fragment: none of our paths needs one, so it is a different path, whatever
 * it would be decoded to. So does an invalid URL. Any other target without a path, such as `*`, gives an empty text.
 */
export function pathOf(url: string): string | undefined {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path.includes('%') || path.includes('#')) return undefined;
  if (path.startsWith('/')) return path;
  return httpUrl.test(url) ? pathOfAbsolute(url) : '';
}

function pathOfAbsolute(url: string): string | undefined {
  const found = absoluteUrl.exec(url);
  return found && URL.canParse(url) ? (found[1] ?? '/') : undefined;
}
