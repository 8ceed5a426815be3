/** The options with which curl trusts a server that has its own certificate, as the server and the panel show them. */

/**
 * Names the server's public key, so that curl refuses every other server before it sends anything: `-k` turns off only the
 * check of the authority, not that of the key. `keyPin` is the SHA-256 in base64; it is empty if the certificate is publicly
 * trusted.
 */
export const curlPin = (keyPin: string): string =>
  keyPin === '' ? '' : ` -k --pinnedpubkey 'sha256//${keyPin}'`;
