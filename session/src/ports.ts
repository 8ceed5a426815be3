/** What a session needs from the system it runs on: cryptography, a way to carry frames, and a clock. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import type { MaybePromise } from '@drawbridge/contract/async/maybe-promise';

/** A secret from which others are derived with HKDF-SHA-256. */
export interface SecretKey {
  derive(salt: Bytes, info: Bytes, length: number): MaybePromise<Bytes>;
}

/** The AES-256-GCM key of one direction. */
export interface FrameKey extends SecretKey {
  /** A whole frame: the byte of its kind, which is authenticated, then ciphertext and tag. The payload can come in parts. */
  seal(nonce: Bytes, kindByte: number, ...payload: readonly Uint8Array[]): MaybePromise<Bytes>;
  /** The payload of a frame, in memory of its own, or undefined when this key did not seal it under this nonce. */
  open(nonce: Bytes, frame: Uint8Array): MaybePromise<Bytes | undefined>;
}

/** An X25519 key pair that is used for one session. */
export interface SessionKeyPair {
  readonly publicKey: string;
  /** The secret shared with the owner of the other key; undefined when that is not a usable key. */
  agree(otherPublicKey: string): Promise<SecretKey | undefined>;
}

/** The Ed25519 key that identifies a device. */
export interface SigningKey {
  readonly publicKey: string;
  sign(message: Bytes): MaybePromise<Uint8Array>;
}

export interface SessionCrypto {
  createKeyPair(): Promise<SessionKeyPair>;
  /** False also when the key is malformed. */
  verify(publicKey: string, signature: Bytes, message: Bytes): Promise<boolean>;
  sha256(bytes: Bytes): Promise<Bytes>;
  importFrameKey(bytes: Bytes): MaybePromise<FrameKey>;
}

/** Carries frames to the other side, in order. */
export interface Transport {
  /** The frame must not be used afterwards: its memory may be released once it is sent. */
  send(frame: Uint8Array): void;
  /** Bytes that were not sent yet. */
  buffered(): number;
  /** Resolves when few bytes are left to send, or the transport is closed. */
  drained(): Promise<void>;
  /** Sends what is buffered, then closes; `willReturn` announces that this side will reconnect. */
  close(willReturn?: boolean): void;
}

/** A transport through the relay. */
export interface RelayTransport extends Transport {
  /** Reports how many bytes took a direct connection, if the relay wants to know. */
  reportDirectBytes?(bytes: number): void;
}

export interface RelayClose {
  /** Why the connection was closed, for a log. */
  reason: string;
  /** The server ended the session; the reason is for the user. */
  isEndedByServer: boolean;
}

export interface RelayListener {
  /** The other side has joined. */
  onPaired(): void;
  onFrame(frame: Bytes): void;
  /** The relay asks how many bytes took a direct connection. */
  onCountRequest?(): void;
  /** Called once, also when the connection was never opened. */
  onClose(close: RelayClose): void;
}

export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls repeatedly, also while the page is hidden; the result stops it. */
  every(ms: number, call: () => void): () => void;
  /** Calls once; the result stops it. */
  after(ms: number, call: () => void): () => void;
}
