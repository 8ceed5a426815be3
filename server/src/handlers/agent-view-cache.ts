/** The cached parts of the JSON text of devices. */
import type { Actor } from '../domain/people/access.ts';
import type { AgentSummary } from '../domain/devices/agents.ts';
import type { RenderedItem } from './rendered-item.ts';
import type { Policy } from '@drawbridge/contract/policy';

/** Everything that the text of a device depends on, except the device itself. */
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
  onetimeInherited: Policy['onetime_url'];
}

/** The text of a device in a list, and the state for which it is valid. */
interface ListedText extends RenderedItem {
  state: ViewState;
}

/** The parts of a device's text that change only with the device. */
export interface AgentFragments {
  revision: number;
  identity: string;
  /** The beginning of the short form, for lists in which people only search and choose. */
  brief: string;
  geo: string;
  permanentPath: string | null;
  /** What the device itself decides about one-time links. */
  onetimeOwn: Policy['onetime_url'] | undefined;
  secret: string;
  system: string;
  installed: string;
  sessions: string;
  onetime: { memberId: number; window: number; code: string };
  preview: { memberId: number; code: string };
  /** The text of the device in the last list. */
  listed: ListedText | undefined;
}

export interface AgentViewCache {
  /** Returns the parts of this revision or a later one, if they are cached. */
  get(id: number, revision: number): AgentFragments | undefined;
  put(agent: AgentSummary): AgentFragments;
}
