/** The person's visit, from joining the invitation to its end: the line to the server, the operators, the shared screen. */
import type { Brand } from '@drawbridge/contract/brand';
import type { Clock } from '../session/clock.ts';
import type { DeviceKeyPair } from '../session/keys.ts';
import { createVoiceCall, type VoiceCall } from './voice-call.ts';
import {
  createConnectedOperators,
  type ConnectedOperator,
  type ConnectedOperators,
} from './connected-operators.ts';
import { openLobbyConnection, type EndReason } from './lobby-connection.ts';
import { createChatLog, type ChatLog } from './chat-log.ts';
import { createScreenSharing } from './screen/screen-sharing.ts';
import type { ScreenShare } from './screen/screen-share.ts';
import type { BrowserInfo } from './browser-info.ts';
import { joinTexts } from './texts.ts';

export interface ClientSession {
  readonly owner: string;
  /** Whose service it is; undefined while that is not known, or the usual one. */
  readonly brand: Brand | undefined;
  /** `lost`: the line to the server is being restored; operators who are connected may still be. `busy`: only later. */
  readonly phase: 'joining' | 'here' | 'lost' | 'busy';
  readonly share: ScreenShare | undefined;
  readonly operators: Pick<ConnectedOperators, 'live' | 'end'>;
  readonly messages: ChatLog;
  readonly call: VoiceCall;
  readonly browser: BrowserInfo;
  readonly code: string;
  /** False when nothing came of it. */
  startSharing(): Promise<boolean>;
  stopSharing(): void;
  onChange(listener: () => void): void;
  /** Ends everything; resolves when the server knows. */
  leave(): Promise<void>;
}

/** What the person is asked; each may be taken back. */
export interface ConsentPrompts {
  mayConnect(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  mayCall(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  /** Answers with what is to be written to the operator. */
  mayInstall(operator: ConnectedOperator, message: string): Promise<string>;
}

export interface ClientSessionOptions {
  code: string;
  key: DeviceKeyPair;
  browser: BrowserInfo;
  clock: Clock;
  origin: string;
  prompts: ConsentPrompts;
  /** The server, or another page, has ended it. */
  ended(reason: EndReason): void;
}

export function openClientSession(options: ClientSessionOptions): ClientSession {
  const { code, key, browser, clock, prompts } = options;
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  const current = {
    owner: '',
    serverKey: '',
    phase: 'joining' as ClientSession['phase'],
    brand: undefined as ClientSession['brand'],
  };
  const change = (changes: Partial<typeof current>): void => {
    Object.assign(current, changes);
    changed();
  };
  const operators = createConnectedOperators({
    key,
    clock,
    system: browser.system,
    capabilities: () => ({ ...browser, isSharing: screen.share !== undefined }),
    ask: prompts.mayConnect,
    onJoined(operator) {
      addOperator(operator);
      changed();
    },
    onLeft(operator) {
      call.removeOperator(operator);
      screen.removeOperator(operator);
      changed();
    },
    onLost: () => lobby.renew(),
  });
  const call = createVoiceCall({ ask: prompts.mayCall, changed });
  const messages = createChatLog(operators.live, changed);
  const screen = createScreenSharing({
    clock,
    operators: operators.live,
    preview: (picture) => lobby.preview({ type: 'image/jpeg', picture }),
    changed() {
      operators.sendState();
      changed();
    },
  });
  const addOperator = (operator: ConnectedOperator): void => {
    screen.addOperator(operator);
    messages.addOperator(operator);
    call.addOperator(operator);
    let isAsked = false;
    operator.session.on('install', ({ message }) => {
      // One question of each operator at a time: an End that is always in sight is of no use behind a hundred of them.
      if (isAsked) return;
      isAsked = true;
      void prompts
        .mayInstall(operator, message)
        .then((text) => operator.session.send('chat', { name: joinTexts.chat.client, text }))
        .finally(() => (isAsked = false));
    });
  };
  const close = (): void => {
    call.hangUp();
    operators.endAll(joinTexts.state.ended);
    screen.stop();
  };
  const lobby = openLobbyConnection(
    { code, key: key.publicKey, os: browser.system, origin: options.origin, clock },
    {
      welcome: (owner, serverKey, brand) => change({ owner, serverKey, brand, phase: 'here' }),
      session: (request) => void operators.receive(request, current.serverKey),
      lost: () => change({ phase: current.owner === '' ? 'joining' : 'lost' }),
      busy: () => change({ phase: 'busy' }),
      ended(reason) {
        close();
        options.ended(reason);
      },
    },
  );
  return {
    operators,
    messages,
    call,
    browser,
    code,
    get owner() {
      return current.owner;
    },
    get brand() {
      return current.brand;
    },
    get phase() {
      return current.phase;
    },
    get share() {
      return screen.share;
    },
    startSharing: screen.start,
    stopSharing: screen.stop,
    onChange: (listener) => void listeners.add(listener),
    async leave() {
      close();
      await lobby.leave();
    },
  };
}
