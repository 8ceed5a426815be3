/** The type of a handler, derived from its row. */
import type { Fault } from '@drawbridge/contract/faults';
import type { MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { Input, Need, Operation, Output, Refusal, Table } from '@drawbridge/contract/operation';
import type { Actor, AgentScope, InvitationScope } from '../domain/people/access.ts';
import type { Agent } from '../domain/devices/agents.ts';
import type { Email, MailBy } from '../domain/emails.ts';
import type { KeyLimits } from '../domain/people/members.ts';
import type { DirectoryConnection, DirectoryReading } from '../domain/people/directory-connection.ts';
import type { Plan } from '../domain/people/plan.ts';
import type { IdentityProviders } from '../domain/people/provider.ts';
import type { Invitation } from '../domain/support.ts';
import type { SendWebhook } from '../domain/webhooks.ts';
import type { Fleet } from '../gateway/devices/fleet.ts';
import type { AttachedFile, Group, StoredSession } from '../store/records.ts';
import type { AgentViewCache } from './agent-view-cache.ts';
import type { RenderedItem } from './rendered-item.ts';
import type { ChangeInput, ChangeName, ChangeOutput } from '../store/changes.ts';
import type { OpenBlob, PictureStore, Reads, BlobStore } from '../store/store.ts';

/** What every handler receives. It includes time and randomness, so that tests can control them. */
export interface HandlerContext {
  store: Reads;
  /** The bytes of attached files. */
  blobs: BlobStore;
  /** The bytes of recordings. */
  recordings: Pick<BlobStore, 'remove'>;
  /** The pictures of brands; undefined if they are stored in the database. */
  pictures: PictureStore | undefined;
  fleet: Fleet;
  /** Sends magic packets from this machine. Returns false if it shares no network with the addresses, or could not send. */
  wakeNearby(macs: readonly string[], addresses: readonly string[]): Promise<boolean>;
  /** The cached text of devices. */
  views: AgentViewCache;
  now(): number;
  /** Lets other requests run during long work. */
  yieldToEventLoop(): Promise<void>;
  random: { apiKey(): string; digits(count: number): string; token(): string };
  /** The digest under which a secret is stored. */
  digestOf(secret: string): string;
  /** A short code that only holders of the secret can compute. */
  hmacOf(secret: string, text: string): string;
  /** Returns the hash to store for a password. `queueKey` is who waits for it; returns a fault if too many passwords wait there. */
  hashPassword(password: string, queueKey: string): Promise<string | Fault<'busy'>>;
  /** Stores data that a device reported. It is not a change by the caller, so it has no line in the audit log. */
  changeUnaudited(name: 'devices/software', input: ChangeInput<'devices/software'>): Promise<unknown>;
  /** SHA-256 of the certificate that devices see, in base64url; empty if it is publicly trusted. */
  certificate(): string;
  publicUrl: string;
  /** Sends an email and returns whether it was sent; undefined if the server has no mail settings. */
  mail: ((email: Email) => Promise<boolean>) | undefined;
  /** The same for e-mails that a person of an account causes, within budgets. */
  mailBy: MailBy | undefined;
  /** The same for e-mails about emergency access, which no other e-mails keep from being sent. */
  mailEmergency: ((email: Email) => Promise<boolean>) | undefined;
  /** The version of the agent that this server offers; empty if it offers none. */
  offeredVersion(): Promise<string>;
  /** Reads all people and groups of a directory, or nothing. Refused while too many are read. */
  readDirectory(
    accountId: number,
    connection: DirectoryConnection,
  ): Promise<DirectoryReading | Fault<'invalid'>>;
  identityProviders: IdentityProviders;
  sendWebhook: SendWebhook;
  /** How long an invitation waits for a client, in seconds. */
  invitationLifetime: number;
}

/** The device that was named, or all devices in scope. */
interface AgentsOrOne {
  agent: Agent | undefined;
  scope: AgentScope;
}

/** What each need gives the handler: the object, loaded and allowed, or the scope of a list. */
type Granted<N extends Need> = N extends { on: 'agent' }
  ? Agent
  : N extends { on: 'file' }
    ? AttachedFile
    : N extends { on: 'group' }
      ? Group
      : N extends { on: 'invitation' }
        ? Invitation
        : N extends { on: 'agents'; by: string }
          ? AgentsOrOne
          : N extends { on: 'agents' | 'groups' }
            ? AgentScope
            : N extends { on: 'invitations' }
              ? Exclude<InvitationScope, 'none'>
              : N extends { on: 'history' }
                ? { agents: AgentScope; invitations: InvitationScope }
                : N extends { on: 'session' }
                  ? StoredSession
                  : N extends { on: 'requests' }
                    ? 'all' | 'own'
                    : null;

type GrantedAll<Needs extends readonly Need[]> = { [I in keyof Needs]: Granted<Needs[I]> };

/** The caller and their account. */
export interface CallerContext {
  actor: Actor;
  /** The e-mail address of the account's owner. */
  ownerEmail: string;
  plan: Plan;
  /** The limits of the key that was used. */
  key: KeyLimits;
}

/** A file that is being uploaded. */
export interface IncomingBody {
  bytes: AsyncIterable<Uint8Array>;
  /** Undefined if the sender did not declare it. */
  length: number | undefined;
}

/** A file as the response. */
export interface FileReply {
  file: Pick<AttachedFile, 'name' | 'size' | 'digest'> & OpenBlob;
}

/** Text that is generated while it is sent; its length is not known in advance. */
export interface StreamedText {
  written: { name: string; parts: AsyncIterable<string> };
}

export interface HandlerRequest<O extends Operation> extends CallerContext {
  input: Input<O>;
  /** The body, if it is a file. */
  incoming: O extends { body: 'bytes' } ? IncomingBody : undefined;
  /** One entry per need of the row, in order. */
  granted: GrantedAll<O['needs']>;
  /** Runs a change of the store together with this request's line in the audit log. Allowed once per request. */
  change<Name extends ChangeName>(name: Name, input: ChangeInput<Name>): Promise<ChangeOutput<Name>>;
}

/** Fields of a response that are already JSON text, for responses too large to build twice. */
export interface RenderedJson<O extends Operation> {
  rendered: { [Field in keyof Output<O>]: string | readonly Buffer[] };
}

export interface RenderedList {
  items: readonly RenderedItem[];
}

/** A response that is kept and sent again until something that it shows changes, or until that time. */
export interface KeptJson<O extends Operation> {
  rendered: { [Field in keyof Output<O>]: string | RenderedList };
  validUntil: number;
}

type JsonReply<O extends Operation> = O extends { etag: true } ? KeptJson<O> : Output<O> | RenderedJson<O>;

type StreamedReply<O extends Operation> = O extends { media: string } ? StreamedText : FileReply;

export type Handler<O extends Operation> = (
  request: HandlerRequest<O>,
  context: HandlerContext,
) => MaybePromise<(O extends { answers: 'bytes' } ? StreamedReply<O> : JsonReply<O>) | Refusal<O>>;

/** One handler per row; a missing or an extra one does not compile. */
export type Handlers<Rows extends Table> = { [Id in keyof Rows]: Handler<Rows[Id]> };
