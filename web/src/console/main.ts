/** The operator's page: opens the session of a link and shows it until it ends. */
import '../ui/tokens.css';
import './console.css';
import {
  connectAgain,
  createSessionApi,
  loadSubject,
  mayConnectAgain,
  measureOfferedRelays,
} from '@drawbridge/session/browser/session-api';
import { isCryptoSupported } from '@drawbridge/session/browser/crypto';
import {
  openSession,
  type OperatorOptions,
  type OperatorSession,
  type ResumeToken,
} from '@drawbridge/session/operator/operator';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { isProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import { markAsChosen, takeChosen } from '../ui/chosen-link.ts';
import { fill } from '../ui/element.ts';
import { isFramed } from '../ui/frame-guard.ts';
import { createSavedChat } from '../ui/saved-chat.ts';
import { operatorPorts } from './operator-ports.ts';
import { workerClock } from '../ui/worker-clock.ts';
import {
  blockedCard,
  connectCard,
  endCard,
  invalidLinkCard,
  resumeCard,
  unsupportedCard,
  waitCard,
  type ConnectAgain,
} from './session-cards.ts';
import { clearSavedSession, loadSavedSession, saveSession, type SavedSession } from './saved-session.ts';
import { consoleTexts } from './texts.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const app = document.querySelector('#app')!;
/** Measured while the person reads whose session it is. */
const api = createSessionApi('', measureOfferedRelays());
const code = location.pathname.split('/')[2] ?? '';
const stored = loadSavedSession(code);
/** A page in a frame continues only a session whose subject it knows. */
const saved = isFramed() && !stored?.subject ? undefined : stored;
/** The person has just pressed a button for this link, in the panel or on its page. */
const isChosen = takeChosen();
/** Whose session it is, or why there is none. A page in a frame always knows it, because its address is not visible there. */
const named =
  saved?.subject ?? (saved || (isChosen && !isFramed()) ? undefined : await loadSubject('show', code));
const subject = named && !isProblem(named) ? named : undefined;
const savedChat = createSavedChat(code);

/** What is known of a session that this tab opened before. */
type Earlier = Pick<SavedSession, 'approval' | 'hasBegun' | 'startedAt' | 'isRecorded'>;

function connect(from: OperatorOptions['from'], earlier?: Earlier): void {
  const pins = createKeyPins(localStorage);
  const approval = earlier?.approval;
  const session = openSession({ ...operatorPorts, from, approval, api, pins, clock: workerClock });
  let workspace: Workspace | undefined;
  let shown = '';
  let { startedAt, isRecorded = false }: Partial<Earlier> = earlier ?? {};
  // A session with a code has agreed on keys and is in the history.
  const hasBegun = (): boolean => earlier?.hasBegun === true || session.code !== '';
  const show = (): void => {
    const { phase } = session.state;
    const { resumeToken } = session;
    const wasRecorded = isRecorded;
    if (phase === 'live') [startedAt, isRecorded] = [startedAt ?? Date.now(), session.recording];
    const now = { approval: session.approval, hasBegun: hasBegun(), startedAt, isRecorded };
    if (resumeToken && phase !== 'ended') saveSession(code, { resumeToken, ...now, subject });
    const current = `${phase} ${session.device.name} ${session.client ?? ''}`;
    if (current === shown) return;
    shown = current;
    document.title = `${session.device.name || consoleTexts.product} · ${consoleTexts.product}`;
    if (phase === 'live' && !workspace) {
      workspace = createWorkspace(session, { savedChat, startedAt: startedAt!, wasRecorded });
      fill(app, workspace.element);
    } else if (phase === 'ended') finish(session, now, workspace);
    else if (phase === 'blocked') fill(app, blockedCard(session));
    else if (workspace) fill(app, workspace.element);
    else fill(app, waitCard(session));
  };
  session.onChange(show);
  show();
}

function finish(session: OperatorSession, earlier: Earlier, workspace: Workspace | undefined): void {
  workspace?.close();
  if (document.fullscreenElement) void document.exitFullscreen();
  const retry = retryOf(session, earlier);
  if (!retry || !session.resumeToken) {
    clearSavedSession(code);
    savedChat.clear();
  }
  const again = retry ? Promise.resolve(retry) : newLinkOf(session);
  fill(app, endCard({ session, again, hasBegun: earlier.hasBegun, note: api.note }));
}

/** Retries resume a lost session, or open the link again if the request may not have reached the server. */
function retryOf({ resumeToken, state }: OperatorSession, earlier: Earlier): (() => void) | undefined {
  const problem = state.problem?.code;
  if (resumeToken)
    return problem === 'lost' ? () => confirmInFrame(() => connect(resumeToken, earlier), true) : undefined;
  return problem === 'network' || problem === 'busy'
    ? () => confirmInFrame(() => connect({ code }), false)
    : undefined;
}

/** In a frame, only a press on the card that says whose session it is connects. */
function confirmInFrame(go: () => void, resumes: boolean): void {
  if (isFramed() && subject) fill(app, connectCard(subject, resumes, go));
  else go();
}

/** Resolves to what opens a new link to the same device, if the server gives one to this person. */
async function newLinkOf({ resumeToken }: OperatorSession): Promise<ConnectAgain | undefined> {
  if (!resumeToken || !(await mayConnectAgain(resumeToken))) return undefined;
  return (onProblem) => void openNewLink(resumeToken, onProblem);
}

async function openNewLink(token: ResumeToken, onProblem: (problem: SessionProblem) => void): Promise<void> {
  const url = await connectAgain(token);
  if (typeof url !== 'string') return onProblem(url);
  // In a frame the next page asks, because this one does not say whose session it is.
  if (!isFramed()) markAsChosen(url);
  location.assign(url);
}

const start = (): void => (saved ? connect(saved.resumeToken, saved) : connect({ code }));
const isAgain = saved !== undefined;
if (!(await isCryptoSupported())) fill(app, unsupportedCard());
else if (named && isProblem(named)) fill(app, invalidLinkCard(named));
else if (isChosen) start();
else fill(app, subject ? connectCard(subject, isAgain, start) : resumeCard(start));
