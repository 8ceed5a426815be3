/** The operator's page: opens the session of a link and shows it until it ends. */
import '../ui/tokens.css';
import './console.css';
import { createSessionApi } from '@drawbridge/session/browser/session-api';
import { isCryptoSupported } from '@drawbridge/session/browser/crypto';
import {
  openSession,
  type OperatorOptions,
  type OperatorSession,
} from '@drawbridge/session/operator/operator';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { fill } from '../ui/element.ts';
import { operatorPorts } from './operator-ports.ts';
import { workerClock } from '../ui/worker-clock.ts';
import { blockedCard, endCard, connectCard, unsupportedCard, waitCard } from './session-cards.ts';
import { clearSavedSession, loadSavedSession, saveSession } from './saved-session.ts';
import { consoleTexts } from './texts.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const app = document.querySelector('#app')!;
const api = createSessionApi();
const code = location.pathname.split('/')[2] ?? '';

/** `hadBegun`: whether the session had begun before this page was loaded. */
function connect(from: OperatorOptions['from'], hadBegun = false): void {
  const pins = createKeyPins(localStorage);
  const session = openSession({ ...operatorPorts, from, api, pins, clock: workerClock });
  let workspace: Workspace | undefined;
  let shown = '';
  // A session with a code has agreed on keys and is in the history.
  const hasBegun = (): boolean => hadBegun || session.code !== '';
  const show = (): void => {
    const { phase } = session.state;
    if (session.resumeToken && phase !== 'ended') saveSession(code, session.resumeToken, hasBegun());
    const current = `${phase} ${session.device.name}`;
    if (current === shown) return;
    shown = current;
    document.title = `${session.device.name || consoleTexts.product} · ${consoleTexts.product}`;
    if (phase === 'live' && !workspace) {
      workspace = createWorkspace(session);
      fill(app, workspace.element);
    } else if (phase === 'ended') finish({ session, hasBegun: hasBegun() }, workspace);
    else if (phase === 'blocked') fill(app, blockedCard(session));
    else if (workspace) fill(app, workspace.element);
    else fill(app, waitCard(session));
  };
  session.onChange(show);
  show();
}

interface Finished {
  session: OperatorSession;
  hasBegun: boolean;
}

function finish({ session, hasBegun }: Finished, workspace: Workspace | undefined): void {
  workspace?.close();
  if (document.fullscreenElement) void document.exitFullscreen();
  const again = retryOf(session, hasBegun);
  if (!again || !session.resumeToken) clearSavedSession(code);
  fill(app, endCard({ session, again, hasBegun, note: api.note }));
}

/** Retries resume a lost session, or open the link again if the request may not have reached the server. */
function retryOf({ resumeToken, state }: OperatorSession, hasBegun: boolean): (() => void) | undefined {
  const problem = state.problem?.code;
  if (resumeToken) return problem === 'lost' ? () => connect(resumeToken, hasBegun) : undefined;
  return problem === 'network' || problem === 'busy' ? () => connect({ code }) : undefined;
}

const saved = loadSavedSession(code);
if (await isCryptoSupported())
  fill(
    app,
    connectCard(saved !== undefined, () =>
      saved ? connect(saved.resumeToken, saved.hasBegun) : connect({ code }),
    ),
  );
else fill(app, unsupportedCard());
