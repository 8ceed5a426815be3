/** The agents and pages of both versions of the session protocol: those of this tree, and the built fixtures of version 1. */
import type { AgentSessions, AgentSessionsOptions } from '@drawbridge/agent/session/agent-sessions';
import { currentSessionVersion } from '@drawbridge/contract/session/versions';
import { createClock } from '@drawbridge/session/clock';
import type { Emitter } from '@drawbridge/session/emitter';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { openSession, type OperatorSession, type SessionApi } from '@drawbridge/session/operator/operator';
import type { SealedChannel } from '@drawbridge/session/sealed-channel';
import { createFileExchanges } from '@drawbridge/web/console/panels/files/file-exchange';
import { createRemoteFiles, type RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import { createChatLog } from '@drawbridge/web/join/chat-log';
import { createConnectedOperators } from '@drawbridge/web/join/connected-operators';
import type { SavedChat } from '@drawbridge/web/ui/saved-chat';
import { RTCPeerConnection } from 'node-datachannel/polyfill';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import type { ClientPage } from './client-checks.ts';
import type { ConnectedPair, PageFiles } from './connected-pair.ts';
import { createObservedDevice } from './observed-device.ts';
import { createSigningKey } from './create-signing-key.ts';

const unsavedChat: SavedChat = { load: () => [], save() {}, clear() {} };

/** They import only packages. */
const [oldAgentFixture, oldPageFixture] = ['./fixtures/agent-v1.mjs', './fixtures/operator-v1.mjs'];

/** The connections that pages have open. The agent of this process must not unload the library before they are closed. */
export const openPeers = new Set<RTCPeerConnection>();

class ObservedPeer extends RTCPeerConnection {
  readonly #answered = Promise.withResolvers<void>();

  constructor(...options: ConstructorParameters<typeof RTCPeerConnection>) {
    super(...options);
    openPeers.add(this);
  }

  // The device connects as soon as it has a candidate. Other than browsers, the library fails before the answer is set.
  override addEventListener(name: string, listener: EventListenerOrEventListenerObject | null): void {
    const call = (event: Event): void =>
      typeof listener === 'function' ? listener.call(this, event) : listener?.handleEvent(event);
    const callAfterAnswer = (event: Event): void => void this.#answered.promise.then(() => call(event));
    super.addEventListener(name, name === 'icecandidate' ? callAfterAnswer : call);
  }

  override async setRemoteDescription(answer: RTCSessionDescriptionInit): Promise<void> {
    await super.setRemoteDescription(answer);
    this.#answered.resolve();
  }

  override close(): void {
    super.close();
    openPeers.delete(this);
  }
}

// Browsers have WebRTC, Node has not. The pages look for it when they are loaded.
Object.assign(globalThis, { RTCPeerConnection: ObservedPeer });

export interface AgentVersion {
  version: number;
  openSessions?: (options: AgentSessionsOptions) => AgentSessions;
}

export interface PageVersion {
  version: number;
  openSession(api: SessionApi): OperatorSession;
  filesOf(session: OperatorSession): PageFiles;
}

export interface ClientVersion {
  version: number;
  openPage(): Promise<ClientPage>;
}

const storage = () => ({ getItem: () => null, setItem: () => {} });
const from = { code: 'code' };

type TransferFiles = Pick<RemoteFiles, 'list' | 'createFolder' | 'rename' | 'remove' | 'download' | 'upload'>;

const toPageFiles = (files: TransferFiles): PageFiles => ({
  ...files,
  list: async (path) => (await files.list(path)).entries.map(({ name }) => name),
  upload: (path, content) =>
    files.upload(
      { path, content: new Blob([content]), replace: false, onProgress: () => {} },
      new AbortController().signal,
    ),
  async download(path) {
    const { content } = await files.download(path, new AbortController().signal);
    return Buffer.concat(await Array.fromAsync(content));
  },
});

export const currentAgent: AgentVersion = { version: currentSessionVersion };

/** An agent on a device with simulated hardware, and the relay. */
export type RunningAgent = Pick<ConnectedPair, 'device' | 'fixture'> & AsyncDisposable;

export async function startObservedAgent({
  openSessions,
}: AgentVersion = currentAgent): Promise<RunningAgent> {
  const device = createObservedDevice();
  const options = { platform: device.platform, ...(openSessions && { openSessions }) };
  const fixture = await openSessionFixture(options);
  return {
    device,
    fixture,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      device[Symbol.dispose]();
    },
  };
}

export async function loadCurrentPage(): Promise<PageVersion> {
  const { operatorPorts } = await import('@drawbridge/web/console/operator-ports');
  const pins = createKeyPins(storage());
  return {
    version: currentSessionVersion,
    openSession: (api) => openSession({ ...operatorPorts, from, api, pins, clock: createClock() }),
    filesOf: (session) => toPageFiles(createRemoteFiles(createFileExchanges(session))),
  };
}

export async function loadOldAgent(): Promise<AgentVersion> {
  const { createSessions, parts } = (await import(oldAgentFixture)) as {
    createSessions(options: object): AgentSessions;
    parts: unknown;
  };
  return {
    version: 1,
    openSessions(options) {
      const sessions = createSessions({ ...options, parts });
      return { ...sessions, open: async (input) => sessions.open(input) };
    },
  };
}

interface OldGuest {
  session: Pick<Emitter, 'on'> & Pick<SealedChannel, 'send'>;
}

interface OldPage {
  openSession(options: object): OperatorSession & { way: 'relay' | 'direct' };
  createPins(drawer: object): object;
  createClock(): object;
  createTalks(session: OperatorSession): object;
  createRemote(talks: object): {
    [Name in 'list' | 'rename' | 'remove']: RemoteFiles[Name];
  } & {
    folder: RemoteFiles['createFolder'];
    fetch(path: string, signal: AbortSignal): Promise<{ content: never }>;
    bring: RemoteFiles['upload'];
  };
  makeDeviceKey(): Promise<{ publicKey: string }>;
  createGuests(options: object): Pick<ClientPage, 'receive' | 'endAll'> & {
    tellState(): void;
    live(): OldGuest[];
  };
  createMessages(
    live: () => OldGuest[],
    changed: () => void,
  ): { all: ReturnType<ClientPage['messages']>; attend(guest: OldGuest): void; say(text: string): boolean };
}

const loadOldFixture = async (): Promise<OldPage> => (await import(oldPageFixture)) as OldPage;

export async function loadOldPage(): Promise<PageVersion> {
  const old = await loadOldFixture();
  return {
    version: 1,
    openSession(api) {
      const pins = old.createPins(storage());
      const session = old.openSession({ from, doors: api, pins, clock: old.createClock() });
      return Object.defineProperty(session, 'transport', { get: () => session.way });
    },
    filesOf(session) {
      const { folder, fetch: download, bring: upload, ...rest } = old.createRemote(old.createTalks(session));
      return toPageFiles({ ...rest, createFolder: folder, download: download as never, upload });
    },
  };
}

export const currentClient: ClientVersion = {
  version: currentSessionVersion,
  async openPage() {
    const key = await createSigningKey();
    let [isSharing, questions] = [false, 0];
    const operators = createConnectedOperators({
      key,
      clock: createClock(),
      system: 'linux',
      capabilities: () => ({ isSharing, canShare: true, canTalk: true }),
      ask: async () => ((questions += 1), true),
      onJoined: (operator) => log.addOperator(operator),
      onLeft: () => {},
      onLost: () => {},
    });
    const log = createChatLog(operators.live, unsavedChat, () => {});
    return {
      key: key.publicKey,
      receive: operators.receive,
      session: () => operators.live().at(-1)?.session as OldGuest['session'] | undefined,
      questions: () => questions,
      share() {
        isSharing = true;
        operators.sendState();
      },
      say: log.send,
      messages: () => log.all,
      endAll: operators.endAll,
    };
  },
};

export const oldClient: ClientVersion = {
  version: 1,
  async openPage() {
    const old = await loadOldFixture();
    const key = await old.makeDeviceKey();
    let [isSharing, questions] = [false, 0];
    const guests = old.createGuests({
      key,
      clock: old.createClock(),
      system: 'linux',
      means: () => ({ isSharing, canShare: true, canTalk: true }),
      ask: async () => ((questions += 1), true),
      arrived: (guest: OldGuest) => messages.attend(guest),
      left: () => {},
      lost: () => {},
    });
    const messages = old.createMessages(guests.live, () => {});
    return {
      key: key.publicKey,
      receive: guests.receive,
      session: () => guests.live().at(-1)?.session,
      questions: () => questions,
      share() {
        isSharing = true;
        guests.tellState();
      },
      say: messages.say,
      messages: () => messages.all,
      endAll: guests.endAll,
    };
  },
};
