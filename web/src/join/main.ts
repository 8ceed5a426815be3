/** The client's page: joins an invitation by its code and shows the visit until it ends. */
import '../ui/tokens.css';
import './join.css';
import { isCryptoSupported } from '@drawbridge/session/browser/crypto';
import { fill } from '../ui/element.ts';
import { workerClock } from '../ui/worker-clock.ts';
import { endedCard, fieldCard, startCard, thanksCard, tooOldCard, waitingCard } from './cards.ts';
import { codeIn } from './code.ts';
import { forgetInvitation, hadJoined, loadInvitationKey, rememberJoined } from './invitation-keys.ts';
import { programCard } from './program.ts';
import { createConsentPrompts } from './consent-prompts.ts';
import { createClientPage } from './client-page.ts';
import { toBrowserInfo } from './browser-info.ts';
import { joinTexts } from './texts.ts';
import { openClientSession, type ClientSession } from './client-session.ts';

const app = document.querySelector('#app')!;
const browser = toBrowserInfo(navigator);
document.title = `${joinTexts.pageTitle} · ${joinTexts.product}`;

function askCode(): void {
  history.replaceState(null, '', '/i');
  fill(app, fieldCard(start));
}

function start(code: string): void {
  history.replaceState(null, '', `/i/${code}`);
  fill(
    app,
    startCard(code, () => void joinInvitation(code), askCode),
  );
}

async function joinInvitation(code: string): Promise<void> {
  fill(app, waitingCard(joinTexts.joining));
  const again = (): void => void joinInvitation(code);
  const client: ClientSession = openClientSession({
    code,
    browser,
    clock: workerClock,
    origin: location.origin,
    prompts: createConsentPrompts(),
    key: await loadInvitationKey(code),
    ended(reason) {
      document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
      fill(app, endedCard(reason, again, askCode));
      // The window that replaced this one still needs the key.
      if (reason !== 'replaced') void forgetInvitation(code);
    },
  });
  const leave = async (next: HTMLElement): Promise<void> => {
    fill(app, next);
    await client.leave();
    await forgetInvitation(code);
  };
  const page = createClientPage({
    client,
    program: () => void leave(programCard(code, browser.system, again)),
    end: () => void leave(thanksCard(again)),
  });
  // Asks before the tab is closed by mistake while operators are connected.
  addEventListener('beforeunload', (event) => {
    if (client.operators.live().length > 0) event.preventDefault();
  });
  let isShown = false;
  client.onChange(() => {
    if (isShown || client.phase === 'joining') return;
    if (client.phase === 'busy') return fill(app, waitingCard(joinTexts.busy));
    isShown = true;
    rememberJoined(code);
    fill(app, page);
  });
}

/** A tab that had joined already rejoins at once after a reload. */
function open(): void {
  const code = codeIn(location.pathname);
  if (code === undefined) askCode();
  else if (hadJoined(code)) void joinInvitation(code);
  else start(code);
}

if (await isCryptoSupported()) open();
else fill(app, tooOldCard());
