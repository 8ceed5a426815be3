/** Whether other machines can reach the server under the address that its links begin with. */

/** An address that means the machine it is read on, whichever that is. */
export function isLoopbackUrl(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
