/** The sealed channel to the operator of a grant: it opens once both have proved their keys, and ends at the first frame that is wrong. */
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import { decodeMessage, encodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import { answerGrant, createSessionKey } from './key-agreement.ts';
import { openRelaySocket, type RelayTarget, type Transport } from './relay-socket.ts';
import { createSeal, type OpenedFrame, type Seal } from './seal.ts';
import { createTransportSwitch } from './transport-switch.ts';

export interface SealedChannelOptions {
  grant: Grant;
  /** The grant as it was signed. */
  signedGrant: string;
  relayTarget: RelayTarget;
  /** The device's own Ed25519 key in PEM. */
  devicePrivateKey: string;
  log(line: string): void;
}

export interface SealedChannelListener {
  /** The operator has proved that it holds the key in the grant; the code is for people to compare. */
  onOpen(code: string): void;
  onFrame(frame: OpenedFrame): void;
  /** Called once; nothing is sent or heard after it. */
  onEnd(message: string): void;
}

export interface SealedChannel extends Pick<Transport, 'buffered' | 'drained'> {
  send(kind: FrameKindName, payload: Uint8Array): void;
  /** Says goodbye, if there is somebody to say it to, and hangs up. */
  end(goodbye: SessionMessage<'end'>): void;
}

/** For the other side to come. */
const pairingTimeoutMs = 75_000;
/** For a sign of life of the other side, from the hello on. */
const silenceTimeoutMs = 15_000;

export function openSealedChannel(
  options: SealedChannelOptions,
  listener: SealedChannelListener,
): SealedChannel {
  let seal: Seal | undefined;
  let [isOpen, isOver, code] = [false, false, ''];
  const finish = (message: string, back = false): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silenceTimer);
    transport.close(back);
    listener.onEnd(message);
  };
  const send = (kind: FrameKindName, payload: Uint8Array): void => {
    if (!isOver && seal) for (const frame of seal.close(kind, payload)) transport.send(frame);
  };
  const end = (goodbye: SessionMessage<'end'>): void => {
    send('end', encodeMessage('end', { ...goodbye, message: goodbye.message.slice(0, 512) }));
    finish(goodbye.message, goodbye.back);
  };
  const fault = (message: string): void => end({ by: 'fault', message, back: false });
  const restartSilenceTimer = (): void => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(fault, silenceTimeoutMs, 'The operator stopped responding.');
  };

  const confirm = ({ kind, payload }: OpenedFrame): void => {
    if (kind !== 'confirm' || !decodeMessage('confirm', payload))
      return fault('The operator did not confirm the session key.');
    isOpen = true;
    listener.onOpen(code);
  };
  function receive(bytes: Uint8Array): void {
    if (isOver) return;
    const frame = seal?.open(bytes);
    if (!frame) return fault('A frame was lost, changed or not meant for this session.');
    restartSilenceTimer();
    if (!isOpen) return confirm(frame);
    if (frame.kind === 'direct') return receiveSignal(frame);
    listener.onFrame(frame);
  }
  const receiveSignal = ({ payload }: OpenedFrame): void => {
    const word = decodeMessage('direct', payload);
    if (word) transport.receiveSignal(word);
    else fault('A frame of the kind direct was malformed.');
  };
  const relaySocket = openRelaySocket(options.relayTarget, {
    onPaired() {
      const { grant, signedGrant, devicePrivateKey } = options;
      const said = { grant: signedGrant, operatorKey: grant.operator_key, devicePrivateKey };
      const answer = answerGrant({ ...said, sessionKey: createSessionKey() });
      [seal, code] = [createSeal(answer.keys), answer.code];
      relaySocket.send(
        Buffer.concat([Buffer.from([frameKinds.hello.byte]), encodeMessage('hello', answer.hello)]),
      );
      restartSilenceTimer();
    },
    onCountRequest: () => transport.reportDirectBytes(),
    onFrame: (bytes) => isOver || transport.fromRelay(bytes),
    onClose: (reason) => finish(reason),
  });
  const transport = createTransportSwitch(relaySocket, options.grant.ice, {
    sendSignal: (word) => send('direct', encodeMessage('direct', word)),
    onFrame: receive,
    fault,
    log: options.log,
  });
  let silenceTimer = setTimeout(fault, pairingTimeoutMs, 'The operator did not connect.');
  return { send, end, buffered: () => transport.buffered(), drained: () => transport.drained() };
}
