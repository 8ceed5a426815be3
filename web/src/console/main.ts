/** The operator's page: from the link to the end of the session. */
import '../ui/tokens.css';
import './console.css';
import { createDoors } from '../session/doors.ts';
import { openSession, type OperatorOptions, type OperatorSession } from '../session/operator.ts';
import { createPins } from '../session/pins.ts';
import { fill } from '../ui/element.ts';
import { steadyClock } from '../ui/steady-clock.ts';
import { blockedCard, endCard, startCard, tooOldCard, waitCard } from './gate.ts';
import { forget, recall, remember } from './memory.ts';
import { texts } from './texts.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const app = document.querySelector('#app')!;
const doors = createDoors();
const code = location.pathname.split('/')[2] ?? '';

function connect(from: OperatorOptions['from']): void {
  const pins = createPins(localStorage);
  const session = openSession({ from, doors, pins, clock: steadyClock });
  let workspace: Workspace | undefined;
  let shown = '';
  const show = (): void => {
    const { phase } = session.state;
    if (session.returnTo && phase !== 'ended') remember(code, session.returnTo);
    const what = `${phase} ${session.device.name}`;
    if (what === shown) return;
    shown = what;
    document.title = `${session.device.name || texts.product} · ${texts.product}`;
    if (phase === 'live' && !workspace) {
      workspace = createWorkspace(session);
      fill(app, workspace.element);
    } else if (phase === 'ended') finish(session, workspace);
    else if (phase === 'blocked') fill(app, blockedCard(session));
    else if (workspace) fill(app, workspace.element);
    else fill(app, waitCard(session));
  };
  session.onChange(show);
  show();
}

function finish(session: OperatorSession, workspace: Workspace | undefined): void {
  workspace?.close();
  if (document.fullscreenElement) void document.exitFullscreen();
  const { returnTo, state } = session;
  const mayReturn = state.problem?.code === 'lost' || state.problem?.code === 'network';
  if (!mayReturn) forget(code);
  const again = returnTo && mayReturn ? () => connect(returnTo) : undefined;
  fill(app, endCard({ session, again, note: doors.note }));
}

/** Keys of the kinds a session needs came to browsers in 2023 to 2025. */
async function canMakeKeys(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey('X25519', false, ['deriveKey']);
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    return 'fromBase64' in Uint8Array;
  } catch {
    return false;
  }
}

const returnTo = recall(code);
if (await canMakeKeys())
  fill(
    app,
    startCard(returnTo !== undefined, () => connect(returnTo ?? { code })),
  );
else fill(app, tooOldCard());
