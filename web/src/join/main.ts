/** The client's page: joins an invitation by its code and shows the visit until it ends. */
import '../ui/tokens.css';
import './join.css';
import { isCryptoSupported } from '@drawbridge/session/browser/crypto';
import { isProblem } from '@drawbridge/contract/session/problem';
import { loadSubject } from '@drawbridge/session/browser/session-api';
import { fill } from '../ui/element.ts';
import { isFramed } from '../ui/frame-guard.ts';
import { workerClock } from '../ui/worker-clock.ts';
import { endedCard, fieldCard, startCard, thanksCard, tooOldCard, waitingCard } from './cards.ts';
import { createBrandMark, loadServerBrand } from './brand.ts';
import { codeIn } from './code.ts';
import { forgetInvitation, hadJoined, loadInvitationKey, rememberJoined } from './invitation-keys.ts';
import { programCard } from './program.ts';
import { createConsentPrompts } from './consent-prompts.ts';
import { createClientPage } from './client-page.ts';
import { toBrowserInfo } from './browser-info.ts';
import { createSavedChat, type SavedChat } from '../ui/saved-chat.ts';
import { joinTexts } from './texts.ts';
import { openClientSession, type ClientSession } from './client-session.ts';

const app = document.querySelector('#app')!;
const browser = toBrowserInfo(navigator);
document.title = `${joinTexts.pageTitle} · ${joinTexts.product}`;

function askCode(): void {
  history.replaceState(null, '', '/i');
  const mark = createBrandMark();
  fill(
    app,
    fieldCard(mark.element, (code) => void start(code)),
  );
  void loadServerBrand().then((brand) => mark.show(brand));
}

/** How long the page waits after too many codes from its network, or when the server does not answer. */
const retryAfterMs = 15_000;

async function start(code: string): Promise<void> {
  history.replaceState(null, '', `/i/${code}`);
  const go = (): void => void joinInvitation(code);
  fill(app, waitingCard(joinTexts.joining));
  const inviter = await loadSubject('inviter', code);
  if (!isProblem(inviter)) {
    const mark = createBrandMark();
    mark.show(inviter.brand);
    return fill(app, startCard({ mark: mark.element, code, inviter, go, other: askCode }));
  }
  if (inviter.code !== 'busy' && inviter.code !== 'network')
    return fill(app, endedCard('unknown', go, askCode));
  fill(app, waitingCard(inviter.code === 'busy' ? joinTexts.busy : joinTexts.lost));
  setTimeout(() => void start(code), retryAfterMs);
}

/** In a frame, only a press on the card that says who invites joins. */
const joinAgain = (code: string): void => void (isFramed() ? start(code) : joinInvitation(code));

async function joinInvitation(code: string): Promise<void> {
  fill(app, waitingCard(joinTexts.joining));
  const savedChat = createSavedChat(code);
  const client: ClientSession = openClientSession({
    code,
    browser,
    clock: workerClock,
    origin: location.origin,
    prompts: createConsentPrompts(),
    savedChat,
    key: await loadInvitationKey(code),
    ended(reason) {
      document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
      fill(
        app,
        endedCard(reason, () => joinAgain(code), askCode),
      );
      // The window that replaced this one still needs the key.
      if (reason === 'replaced') return;
      savedChat.clear();
      void forgetInvitation(code);
    },
  });
  // Asks before the tab is closed by mistake while operators are connected.
  addEventListener('beforeunload', (event) => {
    if (client.operators.live().length > 0) event.preventDefault();
  });
  showWhenJoined(client, createPage(client, savedChat));
}

function createPage(client: ClientSession, savedChat: SavedChat): HTMLElement {
  const { code } = client;
  const again = (): void => joinAgain(code);
  const leave = async (): Promise<void> => {
    fill(app, thanksCard(again));
    savedChat.clear();
    await client.leave();
    await forgetInvitation(code);
  };
  const handOver = async (): Promise<void> => {
    await client.handOver();
    await forgetInvitation(code);
  };
  const showProgram = (): void =>
    fill(
      app,
      programCard({
        code,
        system: browser.system,
        handOver: () => void handOver(),
        back: () => fill(app, page),
        again,
      }),
    );
  const page = createClientPage({ client, program: showProgram, end: () => void leave() });
  return page;
}

function showWhenJoined(client: ClientSession, page: HTMLElement): void {
  let isShown = false;
  client.onChange(() => {
    if (isShown || client.phase === 'joining') return;
    if (client.phase === 'busy') return fill(app, waitingCard(joinTexts.busy));
    isShown = true;
    rememberJoined(client.code);
    fill(app, page);
  });
}

/** A tab that had joined already rejoins at once after a reload. */
function open(): void {
  const code = codeIn(location.pathname);
  if (code === undefined) askCode();
  else if (hadJoined(code)) void joinInvitation(code);
  else void start(code);
}

if (await isCryptoSupported()) open();
else fill(app, tooOldCard());
