/** The address of a PostgreSQL database, which may name several hosts: `postgres://user@a:5432,b:5433/main`. */

/** The server always needs a database that it can write to, whatever of these the address asks for. */
const acceptedAttributes: readonly (string | null)[] = [null, 'any', 'read-write', 'primary'];
const maxHosts = 10;

/** One address for each host, in order; undefined if the text is not an address of PostgreSQL. */
export function postgresUrlsOf(text: string): string[] | undefined {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#\s]*@)?([^/?#@\s]*)([/?#]\S*)?$/.exec(text);
  if (!parts) return undefined;
  const [, scheme = '', userInfo = '', hosts = '', rest = ''] = parts;
  if (hosts === '' && rest === '') return undefined;
  const urls = hosts.split(',').map((host) => `${scheme}${userInfo}${host}${rest}`);
  const isValid = hosts === '' || hosts.split(',').every((host) => host !== '');
  if (!isValid || urls.length > maxHosts || !urls.every((url) => URL.canParse(url))) return undefined;
  const withoutAttributes = urls.map(removeAttributes);
  return withoutAttributes.every((url) => url !== undefined) ? withoutAttributes : undefined;
}

/** libpq's choice of a session is made by this program. */
function removeAttributes(text: string): string | undefined {
  const url = new URL(text);
  if (!acceptedAttributes.includes(url.searchParams.get('target_session_attrs'))) return undefined;
  if (!url.searchParams.has('target_session_attrs')) return text;
  url.searchParams.delete('target_session_attrs');
  return url.href;
}
