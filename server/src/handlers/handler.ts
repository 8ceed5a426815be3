/** The shape of a handler, derived from the row it serves. */
import type { Fault } from '@drawbridge/contract/faults';
import type { Input, Need, Operation, Output, Refusal, Table } from '@drawbridge/contract/operation';
import type { Actor, AgentScope, InvitationScope } from '../domain/access.ts';
import type { Agent } from '../domain/agents.ts';
import type { Email } from '../domain/emails.ts';
import type { KeyLimits } from '../domain/members.ts';
import type { Plan } from '../domain/plan.ts';
import type { Invitation } from '../domain/support.ts';
import type { Fleet } from '../gateway/devices/fleet.ts';
import type { AttachedFile, Group, StoredSession } from '../store/records.ts';
import type { AgentViewCache } from './agent-view-cache.ts';
import type { ChangeInput, ChangeName, ChangeOutput } from '../store/changes.ts';
import type { OpenBlob, Reads, BlobStore } from '../store/store.ts';

/** What every handler receives. Time and randomness are passed in too, so that tests can hold them still. */
export interface HandlerContext {
  store: Reads;
  /** The bytes of attached files. */
  blobs: BlobStore;
  /** The bytes of recordings. */
  recordings: Pick<BlobStore, 'remove'>;
  fleet: Fleet;
  /** Sends magic packets from this machine; false when it shares no network with the addresses, or could not send. */
  wakeNearby(macs: readonly string[], addresses: readonly string[]): Promise<boolean>;
  /** What was written of devices and can be written again. */
  views: AgentViewCache;
  now(): number;
  /** Lets other requests have their turn in the middle of long work. */
  yieldToEventLoop(): Promise<void>;
  random: { apiKey(): string; digits(count: number): string; token(): string };
  /** The digest under which a secret is stored. */
  digestOf(secret: string): string;
  /** A short code that only those can make who know the secret. */
  hmacOf(secret: string, text: string): string;
  /** What to store of a password. `queueKey`: who waits for it; refused when too many passwords wait there. */
  hashPassword(password: string, queueKey: string): Promise<string | Fault<'busy'>>;
  /** Stores what a device told while it was asked: not a change by the caller, and so without a line in the audit log. */
  changeUnaudited(name: 'devices/software', input: ChangeInput<'devices/software'>): Promise<unknown>;
  /** SHA-256 of the certificate that devices will see, base64url; empty where everybody trusts it. */
  certificate(): string;
  publicUrl: string;
  /** Sends a letter, and tells whether it left; undefined where the server has no mail. */
  mail: ((email: Email) => Promise<boolean>) | undefined;
  /** How long an invitation waits for somebody to join, in seconds. */
  invitationLifetime: number;
}

/** What each need hands the handler: the thing itself, loaded and allowed, or a scope to list within. */
type Granted<N extends Need> = N extends { on: 'agent' }
  ? Agent
  : N extends { on: 'file' }
    ? AttachedFile
    : N extends { on: 'group' }
      ? Group
      : N extends { on: 'invitation' }
        ? Invitation
        : N extends { on: 'agents' | 'groups' }
          ? AgentScope
          : N extends { on: 'invitations' }
            ? Exclude<InvitationScope, 'none'>
            : N extends { on: 'history' }
              ? { agents: AgentScope; invitations: InvitationScope }
              : N extends { on: 'session' }
                ? StoredSession
                : null;

type GrantedAll<Needs extends readonly Need[]> = { [I in keyof Needs]: Granted<Needs[I]> };

/** Who asks, and what is known of their account. */
export interface CallerContext {
  actor: Actor;
  /** The e-mail address of the account's owner. */
  ownerEmail: string;
  plan: Plan;
  /** The limits of the key that was used. */
  key: KeyLimits;
}

/** A file on its way in. */
export interface IncomingBody {
  bytes: AsyncIterable<Uint8Array>;
  /** How long it is, where the sender said so beforehand. */
  length: number | undefined;
}

/** A file on its way out. */
export interface FileReply {
  file: Pick<AttachedFile, 'name' | 'size' | 'digest'> & OpenBlob;
}

/** Text that is written while it leaves: how long it gets is not known beforehand. */
export interface StreamedText {
  written: { name: string; parts: AsyncIterable<string> };
}

export interface HandlerRequest<O extends Operation> extends CallerContext {
  input: Input<O>;
  /** The body, where it is a file. */
  incoming: O extends { body: 'bytes' } ? IncomingBody : undefined;
  /** One entry per need of the row, in the row's order. */
  granted: GrantedAll<O['needs']>;
  /** Runs a change of the store together with this request's line in the audit log. Once per request. */
  change<Name extends ChangeName>(name: Name, input: ChangeInput<Name>): Promise<ChangeOutput<Name>>;
}

/** Fields of a reply that are JSON text already, for replies too large to build twice. */
export interface RenderedJson<O extends Operation> {
  rendered: { [Field in keyof Output<O>]: string | readonly Buffer[] };
}

type StreamedReply<O extends Operation> = O extends { media: string } ? StreamedText : FileReply;

export type Handler<O extends Operation> = (
  request: HandlerRequest<O>,
  context: HandlerContext,
) => Promise<(O extends { answers: 'bytes' } ? StreamedReply<O> : Output<O> | RenderedJson<O>) | Refusal<O>>;

/** One handler per row: a missing one, or one without a row, does not compile. */
export type Handlers<Rows extends Table> = { [Id in keyof Rows]: Handler<Rows[Id]> };
