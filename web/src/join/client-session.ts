/** The person's visit, from joining to its end: the connection to the lobby, the operators and the shared screen. */
import type { Brand } from '@drawbridge/contract/brand';
import { openBrowserEcho } from '@drawbridge/session/browser/echo-socket';
import type { Clock } from '@drawbridge/session/ports';
import type { SigningKey } from '@drawbridge/session/ports';
import { createRelayMeasurements } from '@drawbridge/session/relay-measurements';
import { createVoiceCall, type VoiceCall } from './voice-call.ts';
import {
  createConnectedOperators,
  returnTimeoutMs,
  type ConnectedOperator,
  type ConnectedOperators,
} from './connected-operators.ts';
import { openLobbyConnection, type EndReason, type LobbyConnection } from './lobby-connection.ts';
import { createChatLog, type ChatLog } from './chat-log.ts';
import type { SavedChat } from '../ui/saved-chat.ts';
import { createScreenSharing, type ScreenSharing } from './screen/screen-sharing.ts';
import type { ScreenShare } from './screen/screen-share.ts';
import type { BrowserInfo } from './browser-info.ts';
import { joinTexts } from './texts.ts';

export interface ClientSession {
  readonly owner: string;
  /** The brand of the account; undefined while it is unknown or the default one. */
  readonly brand: Brand | undefined;
  /** `lost`: reconnecting to the lobby; operators may still be connected. `busy`: waiting for a later retry. */
  readonly phase: 'joining' | 'here' | 'lost' | 'busy';
  readonly share: ScreenShare | undefined;
  readonly operators: Pick<ConnectedOperators, 'live' | 'away' | 'end'>;
  readonly messages: ChatLog;
  readonly call: VoiceCall;
  readonly browser: BrowserInfo;
  readonly code: string;
  /** Resolves with false when nothing was shared. */
  startSharing(): Promise<boolean>;
  stopSharing(): void;
  onChange(listener: () => void): void;
  /** Ends everything; resolves when the server knows. */
  leave(): Promise<void>;
  /** Leaves the invitation to the program: the sessions of the operators continue there. */
  handOver(): Promise<void>;
}

/** The questions to the person; the signals withdraw them. */
export interface ConsentPrompts {
  mayConnect(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  mayCall(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  /** Resolves with the chat message to the operator. */
  mayInstall(operator: ConnectedOperator, message: string): Promise<string>;
}

export interface ClientSessionOptions {
  code: string;
  key: SigningKey;
  browser: BrowserInfo;
  clock: Clock;
  origin: string;
  prompts: ConsentPrompts;
  savedChat: SavedChat;
  /** The server or another page has ended the visit. */
  ended(reason: EndReason): void;
}

interface ClientState {
  owner: string;
  brand: Brand | undefined;
  serverKey: string;
  phase: ClientSession['phase'];
  listeners: Set<() => void>;
}

/** What a visit consists of, besides the connection to the lobby. */
interface ClientParts {
  operators: ConnectedOperators;
  call: VoiceCall;
  messages: ChatLog;
  screen: ScreenSharing;
}

export function openClientSession(options: ClientSessionOptions): ClientSession {
  const state: ClientState = {
    owner: '',
    brand: undefined,
    serverKey: '',
    phase: 'joining',
    listeners: new Set(),
  };
  const parts: ClientParts = createParts(options, state, () => lobby);
  const lobby = openLobby(options, state, parts);
  const { operators, messages, call, screen } = parts;
  return {
    operators,
    messages,
    call,
    browser: options.browser,
    code: options.code,
    get owner() {
      return state.owner;
    },
    get brand() {
      return state.brand;
    },
    get phase() {
      return state.phase;
    },
    get share() {
      return screen.share;
    },
    startSharing: screen.start,
    stopSharing: screen.stop,
    onChange: (listener) => void state.listeners.add(listener),
    leave: () => close(parts, lobby),
    handOver() {
      operators.interruptAll(joinTexts.state.switching);
      return close(parts, lobby);
    },
  };
}

function close(parts: ClientParts, lobby: LobbyConnection): Promise<void> {
  closeAll(parts);
  return lobby.leave();
}

/** `lobby` is a function, because the lobby connection is opened after the parts are created. */
function createParts(
  { key, browser, clock, prompts, savedChat }: ClientSessionOptions,
  state: ClientState,
  lobby: () => LobbyConnection,
): ClientParts {
  const changed = (): void => notify(state);
  const operators = createConnectedOperators({
    key,
    clock,
    system: browser.system,
    capabilities: () => ({ ...browser, isSharing: screen.share !== undefined }),
    ask: prompts.mayConnect,
    onJoined(operator) {
      addOperator({ operators, call, messages, screen }, operator, prompts);
      changed();
    },
    onLeft(operator) {
      call.removeOperator(operator);
      screen.removeOperator(operator);
      changed();
    },
    onLost() {
      lobby().renew();
      clock.after(returnTimeoutMs, changed);
    },
  });
  const call = createVoiceCall({ ask: prompts.mayCall, changed });
  const messages = createChatLog(operators.live, savedChat, changed);
  const screen = createScreenSharing({
    clock,
    operators: operators.live,
    preview: (picture) => lobby().preview({ type: 'image/jpeg', picture }),
    changed() {
      operators.sendState();
      changed();
    },
  });
  return { operators, call, messages, screen };
}

const openLobby = (
  { code, key, browser, clock, origin, ended }: ClientSessionOptions,
  state: ClientState,
  parts: ClientParts,
): LobbyConnection =>
  openLobbyConnection(
    {
      code,
      key: key.publicKey,
      os: browser.system,
      origin,
      clock,
      measure: createRelayMeasurements(openBrowserEcho, clock).measure,
    },
    {
      welcome: (owner, serverKey, brand) => update(state, { owner, serverKey, brand, phase: 'here' }),
      session: (request) => void parts.operators.receive(request, state.serverKey),
      lost: () => update(state, { phase: state.owner === '' ? 'joining' : 'lost' }),
      busy: () => update(state, { phase: 'busy' }),
      ended(reason) {
        closeAll(parts);
        ended(reason);
      },
    },
  );

function notify({ listeners }: ClientState): void {
  listeners.forEach((listener) => listener());
}

function update(state: ClientState, changes: Partial<ClientState>): void {
  Object.assign(state, changes);
  notify(state);
}

function addOperator(
  { screen, messages, call }: ClientParts,
  operator: ConnectedOperator,
  prompts: ConsentPrompts,
): void {
  screen.addOperator(operator);
  messages.addOperator(operator);
  call.addOperator(operator);
  let isAsked = false;
  operator.session.on('install', ({ message }) => {
    // One prompt of each operator at a time: many of them would hide the End button.
    if (isAsked) return;
    isAsked = true;
    void prompts
      .mayInstall(operator, message)
      .then((text) => operator.session.send('chat', { name: joinTexts.chat.client, text }))
      .finally(() => (isAsked = false));
  });
}

function closeAll({ call, operators, screen }: ClientParts): void {
  call.hangUp();
  operators.endAll(joinTexts.state.ended);
  screen.stop();
}
