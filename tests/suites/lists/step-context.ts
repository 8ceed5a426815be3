/** What a random change receives, and how it chooses what it changes. */
import type { listEffects } from '@drawbridge/server/store/engine/list-effects';
import type { Store } from '@drawbridge/server/store/store';
import type { SeededDraw, ListAccount, Run } from './world.ts';

type Effects = typeof listEffects;
export type ShownChange = {
  [Name in keyof Effects]: Effects[Name] extends 'none' ? never : Name;
}[keyof Effects];

export interface StepContext {
  account: ListAccount;
  draw: SeededDraw;
  run: Run;
  store: Store;
}

export type Step = (context: StepContext) => Promise<unknown>;

export const gone = 999_999_999;
export const idOf = ({ draw }: StepContext, ids: readonly number[]): number => draw.pick(ids) ?? gone;
export const agentOf = (context: StepContext): number => idOf(context, context.account.agents);
export const groupOf = (context: StepContext): number => idOf(context, context.account.groups);
/** Anyone but the owner. */
export const personOf = ({ account, draw }: StepContext) =>
  account.people[1 + draw.below(account.people.length - 1)]!;

export const without = (ids: number[], id: number): number[] => ids.filter((each) => each !== id);
