/**
 * A person who calls the API of a server in another process, over TLS with that server's certificate trusted.
 */
import { join } from 'node:path';
import type { TestPerson } from './account.ts';
import { openTestClient } from './test-client.ts';

/** The key of a person, and a function that calls the API with it. */
export function createPersonAt(url: string, apiKey: string, folder: string): TestPerson {
  const port = Number(new URL(url).port);
  const certificate = { certFile: join(folder, 'tls/cert.pem') };
  const client = openTestClient({ config: { listen: { port } }, certificate } as never).sdkClient(apiKey);
  return {
    id: 0,
    email: 'owner@localhost',
    apiKey,
    client,
    call: (operation, params = {}) => client.request(operation, params),
  };
}
