/** Opens a new tab for an address that is yet to be asked for. */
import { t } from './texts/index.ts';
import { LinkButton } from './ui/button.tsx';
import { Dialog, openDialog } from './ui/dialog.tsx';

const { heldBack: texts } = t.common;

/**
 * Browsers allow a tab only while the click lasts: it is opened at once, and told its address when that is known. What
 * is opened does not learn from where.
 */
export async function openTab(loadUrl: () => Promise<string>): Promise<void> {
  const tab = open('about:blank', '_blank');
  if (tab) tab.opener = null;
  try {
    const address = await loadUrl();
    if (tab) tab.location.replace(address);
    else offerLink(address);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** The browser allowed no tab: it will for another click. */
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
