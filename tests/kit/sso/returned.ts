/** What a browser brings back from an identity provider: to whose address it was sent, and with which query. */

export interface ProviderReturn {
  /** The sign-in name in the address. */
  name: string;
  response: string;
}

export function toProviderReturn(
  address: string,
  response = new URL(address).search.slice(1),
): ProviderReturn {
  const [, name] = /^\/panel\/sso\/([^/]+)\/return$/.exec(new URL(address).pathname) ?? [];
  if (name === undefined) throw new Error(`the browser is sent to ${address}`);
  return { name, response };
}
