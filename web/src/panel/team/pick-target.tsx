/** On what a role is given: a device, a group, or nothing in particular, as its type says. */
import type { RoleType } from '@drawbridge/contract/permissions';
import { t } from '../texts/index.ts';
import { PickList } from '../ui/pick-list.tsx';
import { ResourceView } from '../ui/states.tsx';
import { useDeviceNames, useEntries, useGroupNames } from './data.ts';
import { withNames } from './giving.ts';
import { sortedByName } from './lists.ts';
import type { PickProps } from './pick-holder.tsx';
import { namesIn } from './words.ts';

const texts = t.team.give;

const toOptions = (named: readonly { id: number; name: string }[]) =>
  sortedByName(named).map(({ id, name }) => ({ value: String(id), text: name }));

function PickDevice({ wish, choose }: PickProps) {
  const [devices, entries] = [useDeviceNames(), useEntries({})];
  const { agents } = namesIn(entries.value.value ?? []);
  return (
    <ResourceView resource={devices}>
      {(all) => (
        <PickList
          label={texts.device}
          name="agent_id"
          options={toOptions(withNames(all, agents))}
          value={wish.agent}
          onChange={(agent) => choose({ agent })}
        />
      )}
    </ResourceView>
  );
}

function PickGroup({ wish, choose }: PickProps) {
  const [found, entries] = [useGroupNames(), useEntries({})];
  const { groups } = namesIn(entries.value.value ?? []);
  return (
    <ResourceView resource={found}>
      {(all) => (
        <PickList
          label={texts.group}
          name="group_id"
          options={toOptions(withNames(all, groups))}
          value={wish.group}
          onChange={(group) => choose({ group })}
        />
      )}
    </ResourceView>
  );
}

export function PickTarget({ type, wish, choose }: PickProps & { type: RoleType | undefined }) {
  if (type === undefined) return null;
  if (type === 'agent') return <PickDevice wish={wish} choose={choose} />;
  if (type === 'group') return <PickGroup wish={wish} choose={choose} />;
  return <p class="quiet">{type === 'team' ? texts.team : texts.support}</p>;
}
