/** A session as its features see it; everything they send is kept for assertions. */
import { defaultPolicy } from '@drawbridge/contract/policy';
import { decodeDataChunk, type DataChunk } from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import {
  decodeMessage,
  type SessionMessage,
  type SessionMessageKind,
} from '@drawbridge/contract/session/messages';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { encodePayload } from '@drawbridge/session/payloads';
import type { FeatureContext } from '@drawbridge/agent/session/feature';

export interface FakeFeatureContext extends FeatureContext {
  sent: { kind: FrameKindName; payload: Uint8Array }[];
  messages<Kind extends SessionMessageKind>(kind: Kind): SessionMessage<Kind>[];
  pieces(kind: FrameKindName): DataChunk[];
  ended: { message: string; back: boolean }[];
}

export function createFakeFeatureContext(platform: Partial<Platform>): FakeFeatureContext {
  const sent: FakeFeatureContext['sent'] = [];
  const ended: FakeFeatureContext['ended'] = [];
  const of = (kind: FrameKindName) => sent.filter((each) => each.kind === kind).map(({ payload }) => payload);
  return {
    session: 1,
    operator: { name: 'ann@example.com', address: '192.0.2.1' },
    permissions: new Set(),
    platform: platform as Platform,
    policy: defaultPolicy,
    send: (kind, payload) => void sent.push({ kind, payload: encodePayload(kind, payload) }),
    sendEncoded: (kind, payload) => void sent.push({ kind, payload: Uint8Array.from(payload) }),
    buffered: () => 0,
    drained: async () => {},
    ask: async (question, seconds, signal) => (await platform.desktop!()).ask(question, seconds, signal),
    isConfirmed: false,
    showNotice: async () => ({ leave: () => {} }),
    shield: { whyNot: () => undefined, take: () => {}, announce: () => {} },
    refuse: () => {},
    endMalformed: (kind) => void ended.push({ message: `malformed ${kind}`, back: false }),
    end: (message, back = false) => void ended.push({ message, back }),
    log: () => {},
    sent,
    ended,
    messages: (kind) => of(kind).map((payload) => decodeMessage(kind, payload)!),
    pieces: (kind) => of(kind).map((payload) => decodeDataChunk(payload)!),
  };
}
