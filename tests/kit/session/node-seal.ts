/** Seals and opens frames with Node's cryptography, without a channel around it. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { frameKindOf, frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { nodeCrypto } from '@drawbridge/session/node/crypto';
import type { FrameKey } from '@drawbridge/session/ports';
import { createOpener, createSealer, type RekeyPolicy } from '@drawbridge/session/seal';

export interface OpenedFrame {
  kind: FrameKindName;
  payload: Buffer;
}

export interface NodeSeal {
  /** The frames to send: the sealed one, and before it a `rekey` when it is due. A number is the byte of an unknown kind. */
  seal(kind: FrameKindName | number, payload: Uint8Array): Bytes[];
  /** Undefined when the frame is not the next one of the other side, or of a kind that nobody knows. */
  open(frame: Uint8Array): OpenedFrame | undefined;
}

export function createNodeSeal(
  keys: { send: FrameKey; receive: FrameKey },
  policy: Partial<RekeyPolicy> = {},
): NodeSeal {
  const { importFrameKey } = nodeCrypto;
  const sealer = createSealer(keys.send, importFrameKey, { now: () => performance.now(), ...policy });
  const opener = createOpener(keys.receive, importFrameKey);
  const sealNow = (kind: FrameKindName | number, payload: Uint8Array): Bytes =>
    sealer.seal(typeof kind === 'number' ? kind : frameKinds[kind].byte, payload) as Bytes;
  return {
    seal(kind, payload) {
      const before = sealer.isRekeyDue() ? [sealNow('rekey', new Uint8Array(0))] : [];
      return [...before, sealNow(kind, payload)];
    },
    open(frame) {
      const payload = opener.open(frame) as Bytes | undefined;
      const kind = frameKindOf(frame[0]);
      return payload && kind
        ? { kind, payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length) }
        : undefined;
    },
  };
}
