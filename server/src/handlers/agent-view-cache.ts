/** The cached parts of the views of devices. */
import type { Actor } from '../domain/access.ts';
import type { AgentSummary } from '../domain/agents.ts';

/** Everything a view depends on beside the device itself. */
export interface ViewState {
  actor: Actor;
  ownerEmail: string;
  window: number;
  groupId: number | null;
  groupName: string;
  disabled: boolean;
  limited: boolean;
  online: boolean;
  lastTime: number;
  favorite: boolean;
}

/** The parts of a device's view that change only with the device. */
export interface AgentFragments {
  revision: number;
  identity: string;
  /** What a list that is only to be searched and chosen from shows of it, up to what depends on the moment. */
  brief: string;
  geo: string;
  permanentPath: string | null;
  onetimeAllowed: boolean;
  secret: string;
  system: string;
  installed: string;
  sessions: string;
  onetime: { memberId: number; window: number; code: string };
  preview: { memberId: number; code: string };
  /** The device as it was last put into a list, and for whom and when that holds. */
  listed: { state: ViewState; bytes: Buffer } | undefined;
}

/** The unchanging parts of devices, kept at hand. */
export interface AgentViewCache {
  /** The parts as of this revision or a later one, if they are at hand. */
  get(id: number, revision: number): AgentFragments | undefined;
  put(agent: AgentSummary): AgentFragments;
}
