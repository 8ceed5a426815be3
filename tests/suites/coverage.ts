/**
 * What a run of the suite has covered of the store, and what it should have: every change in every outcome,
 * every read.
 */
import { isFault, type Fault, type FaultName } from '@drawbridge/contract/faults';
import type { ChangeName, ChangeOutput } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';

type Refused<Name extends ChangeName> = Extract<ChangeOutput<Name>, Fault>;
type FaultsOf<Name extends ChangeName> = [Refused<Name>] extends [never]
  ? never
  : Refused<Name> extends Fault<infer Each>
    ? Each
    : never;

/** Every change with the refusals its type names: one too few or too many does not compile. */
const refusals: { [Name in ChangeName]: Record<FaultsOf<Name>, true> } = {
  'accounts/create': { invalid: true },
  'accounts/first': {},
  'accounts/settings': {},
  'plan/set': {},
  'members/invite': { invalid: true, forbidden: true },
  'members/remove': { invalid: true, not_found: true },
  'members/sign-in': { not_found: true },
  'members/password': { not_found: true },
  'panel/sessions/open': { not_found: true },
  'panel/sessions/renew': { not_found: true },
  'panel/sessions/seen': {},
  'panel/sessions/end': { not_found: true },
  'panel/sessions/end-all': {},
  'panel/steps/begin': {},
  'panel/steps/try': { not_found: true },
  'panel/steps/take': { not_found: true },
  'panel/sweep': {},
  'members/reset': { invalid: true, forbidden: true, not_found: true },
  'factors/totp/begin': { invalid: true },
  'factors/totp/confirm': { not_found: true },
  'factors/totp/use': { not_found: true },
  'factors/totp/remove': { not_found: true },
  'factors/recovery/renew': { not_found: true },
  'factors/recovery/use': { not_found: true },
  'factors/passkey/add': { invalid: true },
  'factors/passkey/used': { not_found: true },
  'factors/passkey/remove': { not_found: true, invalid: true },
  'keys/create': { not_found: true },
  'keys/revoke': { not_found: true },
  'keys/used': {},
  'operators/add': { not_found: true },
  'operators/remove': { not_found: true, invalid: true },
  'brands/update': {},
  'brands/logo': {},
  'brands/remove-logo': {},
  'groups/create': {},
  'groups/edit': { not_found: true },
  'groups/order': { not_found: true },
  'groups/remove': { not_found: true },
  'groups/settings': { not_found: true },
  'agents/add': {},
  'agents/rename': { not_found: true },
  'agents/notes': { invalid: true, not_found: true },
  'agents/update': { not_found: true, path_taken: true, invalid_password: true, forbidden: true },
  'agents/move': { not_found: true, forbidden: true },
  'agents/remove': { not_found: true },
  'agents/merge': { not_found: true, forbidden: true },
  'agents/favor': {},
  'files/add': { plan_exceeded: true, not_found: true },
  'files/remove': { not_found: true },
  'enroll/create': { not_found: true },
  'enroll/revoke': { not_found: true },
  'enroll/join': { not_found: true },
  'devices/arrive': { not_found: true },
  'devices/kept': {},
  'devices/facts': {},
  'devices/hardware': {},
  'devices/software': {},
  'devices/approve': { not_found: true },
  'devices/clear-copied': { not_found: true },
  'server/identity': {},
  'presence/end': {},
  'presence/renew': {},
  'presence/extend': {},
  'presence/release': {},
  'roles/create': {},
  'roles/edit': { not_found: true, invalid: true, forbidden: true },
  'roles/remove': { not_found: true, invalid: true },
  'access/add': { not_found: true, invalid: true, forbidden: true },
  'access/remove': { not_found: true, invalid: true },
  'departments/create': {},
  'departments/update': { not_found: true },
  'departments/remove': { not_found: true },
  'departments/member-add': { not_found: true, forbidden: true },
  'departments/member-remove': { not_found: true },
  'invitations/create': { plan_exceeded: true, not_found: true },
  'invitations/rename': { not_found: true },
  'invitations/happen': { not_found: true, invalid: true },
  'invitations/join': { not_found: true, invalid: true },
  'invitations/renew': {},
  'invitations/leave': {},
  'invitations/lapse': {},
  'invitations/expire': {},
  'links/add': { not_found: true, invalid: true },
  'links/add-operator': { not_found: true },
  'links/consume': { not_found: true },
  'links/consume-onetime': { not_found: true },
  'links/sweep': {},
  'sessions/start': {},
  'sessions/begin': {},
  'sessions/cut': {},
  'sessions/count': {},
  'sessions/resume': { not_found: true },
  'sessions/note': { not_found: true },
  'sessions/alive': {},
  'sessions/stop': {},
  'sessions/bury': {},
  'recordings/keys': {},
  'recordings/begin': { not_found: true },
  'recordings/chunk': { not_found: true, invalid: true, plan_exceeded: true },
  'recordings/remove': { not_found: true },
  'recordings/sweep': {},
  'usage/request': { plan_exceeded: true },
  'usage/sweep': {},
  'audit/append': {},
};

type Outcome = 'done' | FaultName;

export interface Coverage {
  /** The same store, with its use recorded. */
  watch(store: Store): Store;
  /** What no test has covered, as text. */
  missing(): string[];
}

export function createCoverage(): Coverage {
  const wanted = new Set<string>();
  const seen = new Set<string>();
  for (const [name, faults] of Object.entries(refusals))
    for (const outcome of ['done', ...Object.keys(faults)]) wanted.add(`${name}: ${outcome}`);

  const watchReads = (area: string, reads: object): object =>
    Object.fromEntries(
      Object.entries(reads).map(([name, read]) => {
        wanted.add(`${area}.${name}`);
        return [name, (...given: unknown[]) => (seen.add(`${area}.${name}`), read(...given) as unknown)];
      }),
    );

  return {
    watch(store) {
      const areas = Object.entries(store).filter(([, value]) => typeof value === 'object');
      return {
        ...store,
        ...Object.fromEntries(areas.map(([area, reads]) => [area, watchReads(area, reads as object)])),
        async change(name, input, line) {
          const outcome = await store.change(name, input, line);
          const ended: Outcome = isFault(outcome) ? outcome.fault : 'done';
          seen.add(`${name}: ${ended}`);
          return outcome;
        },
      };
    },
    missing: () => [...wanted].filter((each) => !seen.has(each)),
  };
}
