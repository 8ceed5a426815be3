/** Tells whether the server's public URL is a loopback address, which other machines cannot reach. */

export function isLoopbackUrl(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
