/** Saves a file into the person's downloads, under a name that is safe on every system. */

/** Characters that some system forbids in names, or that are invisible. */
const unsafeCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|]/gu;
/** Names that Windows reserves for devices, with any extension. */
const reservedNames = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)(?=\s*(\.|$))/i;
/** Windows removes these, which would result in another name. */
const trailingDots = /[. ]+$/;
/** Below the limit of file systems, because browsers append a suffix while they write the file. */
const defaultMaxBytes = 200;
const maxExtensionLength = 16;

/** Returns a name, never a path, that means the same file on every system and shows its extension. */
export function safeName(name: string, maxBytes = defaultMaxBytes): string {
  const cleaned = name.replace(unsafeCharacters, '_').replace(reservedNames, '_$1');
  return shortened(cleaned, maxBytes).replace(trailingDots, '') || 'file';
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Keeps the extension, because it says what the file is. */
function shortened(name: string, maxBytes: number): string {
  if (bytesOf(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= maxExtensionLength ? name.slice(dot) : '';
  let start = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    if (bytesOf(start + character + extension) > maxBytes) break;
    start += character;
  }
  return start + extension;
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = safeName(name);
  link.click();
  // By then the browser has started to copy; the page must not keep the file in memory for ever.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
