/** Passkeys in a browser of the tests. */
import type { PanelPage } from './panel-browser.ts';

/** Adds an authenticator to the browser that always verifies its user. */
export async function addVirtualAuthenticator(page: PanelPage): Promise<void> {
  await page.devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  await page.devtools.send('WebAuthn.addVirtualAuthenticator', { options });
}
