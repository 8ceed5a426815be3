/** Parses a text with one IP address or network per line. */

export const maxKeyNetworks = 32;

export type ParsedNetworks = { networks: string[] } | { bad: string } | { tooMany: true };

export function parseNetworkLines(text: string): ParsedNetworks {
  const lines = [...new Set(text.split(/[\n,;]/).map((line) => line.trim()))].filter((line) => line !== '');
  const bad = lines.find((line) => !isNetwork(line));
  if (bad !== undefined) return { bad };
  return lines.length > maxKeyNetworks ? { tooMany: true } : { networks: lines };
}

/** Accepts `192.0.2.7`, `10.0.0.0/8`, `2001:db8::1` and `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', size, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = isV4(address) ? 32 : isV6(address) ? 128 : -1;
  return bits > 0 && (size === undefined || (/^(0|[1-9]\d{0,2})$/.test(size) && Number(size) <= bits));
}

const isV4 = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) &&
  text.split('.').every((part) => String(Number(part)) === part && Number(part) <= 255);

/** A URL allows only an IPv6 address between brackets, so the URL parser validates it. */
const isV6 = (text: string): boolean =>
  /^[0-9a-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`);
