/** Puts something into the person's downloads, under a name that is safe there whoever gave it. */

/** No part of a name on some system, or not to be seen in it. */
const unfit = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|]/gu;
/** Windows takes these for devices, whatever follows the dot. */
const devices = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)(?=\s*(\.|$))/i;
/** Windows leaves them out, so that another name comes of it. */
const atEnd = /[. ]+$/;
/** Leaves room for what a browser adds while it writes the file. */
const longestBytes = 200;
const longestEnding = 16;

/** One name and never a path: the same file on every system, with an ending that can be seen. */
export function safeName(name: string, mostBytes = longestBytes): string {
  const fit = name.replace(unfit, '_').replace(devices, '_$1');
  return shortened(fit, mostBytes).replace(atEnd, '') || 'file';
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Its ending stays, as it says what the file is. */
function shortened(name: string, mostBytes: number): string {
  if (bytesOf(name) <= mostBytes) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= longestEnding ? name.slice(dot) : '';
  let start = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    if (bytesOf(start + character + ending) > mostBytes) break;
    start += character;
  }
  return start + ending;
}

export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  link.click();
  // The browser has begun to copy by then; a page that lives on must not keep the file for ever.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
