/** Opens a session in a new tab, for a link that must first be requested from the server. */
import { markAsChosen } from '../ui/chosen-link.ts';
import { t } from './texts/index.ts';
import { LinkButton } from './ui/button.tsx';
import { Dialog, openDialog } from './ui/dialog.tsx';

const { heldBack: texts } = t.common;

/**
 * Browsers allow a new tab only during a click, so the tab is opened at once and navigates when the URL is known.
 * `opener` is cleared so that the opened page has no access to this one. The click is the consent: the page does not ask.
 */
export async function openTab(loadUrl: () => Promise<string>): Promise<void> {
  const tab = open('about:blank', '_blank');
  if (tab) tab.opener = null;
  try {
    const address = await loadUrl();
    if (!tab) return offerLink(address);
    markAsChosen(address, tab);
    tab.location.replace(address);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** The browser blocked the tab; it allows one when the user clicks this link. */
const offerLink = (address: string): void =>
  void openDialog((close) => (
    <Dialog title={texts.title} onClose={close}>
      <p>{texts.text}</p>
      <div class="row">
        <LinkButton href={address} look="primary" icon="outside" outside>
          {texts.open}
        </LinkButton>
      </div>
    </Dialog>
  ));
