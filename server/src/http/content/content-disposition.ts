/** The name under which a browser saves a file: what somebody called it, made harmless on every system. */

/** What a path is made of, what shells and systems read as more than a name, and what can not be seen. */
const harmful = /[/\\:*?"<>|%]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu;
/** Devices that Windows opens whatever stands after the dot. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** `attachment` with the name twice: in ASCII for those who know no better, and whole (RFC 6266, RFC 8187). */
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
