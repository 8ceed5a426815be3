/** The name under which a browser saves a file: the given name, made safe on every system. */

/** Separators of paths, characters with a meaning in shells or file systems, and invisible characters. */
const harmful = /[/\\:*?"<>|%]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu;
/** Device names of Windows, which it also recognizes with an extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** `attachment` with the name in ASCII for old clients and in full for all others (RFC 6266, RFC 8187). */
export function contentDisposition(name: string): string {
  const safe = safeName(name);
  const plain = safe.replace(/[^\x20-\x7e]/gu, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(safe)}`;
}

function safeName(name: string): string {
  const kept = name
    .toWellFormed()
    .replace(harmful, '_')
    .replace(/^[. ]+/, '_')
    .replace(/[. ]+$/, '_');
  return devices.test(kept) ? `_${kept}` : kept || '_';
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
