/** Passkeys in a browser of the tests. */
import type { PanelPage } from './panel-browser.ts';

/** Adds an authenticator to the browser that always verifies its user. */
export async function addVirtualAuthenticator(page: PanelPage): Promise<void> {
  await page.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  await page.send('WebAuthn.addVirtualAuthenticator', { options });
}
