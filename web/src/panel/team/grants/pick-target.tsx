/** The field that picks the target of a grant: a device, a group or none, depending on the type of the role. */
import type { RoleType } from '@drawbridge/contract/permissions';
import { t } from '../../texts/index.ts';
import { PickList } from '../../ui/forms/pick-list.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { useDeviceNames, useEntries, useGroupNames } from '../team-data.ts';
import { addNamed } from './grant-draft.ts';
import { sortedByName } from '../lists.ts';
import type { PickProps } from './pick-holder.tsx';
import { namesInEntries } from '../access/permission-texts.ts';

const texts = t.team.give;

const toOptions = (named: readonly { id: number; name: string }[]) =>
  sortedByName(named).map(({ id, name }) => ({ value: String(id), text: name }));

function PickDevice({ draft, choose }: PickProps) {
  const [devices, entries] = [useDeviceNames(), useEntries({})];
  const { agents } = namesInEntries(entries.value.value ?? []);
  return (
    <ResourceView resource={devices}>
      {(all) => (
        <PickList
          label={texts.device}
          name="agent_id"
          options={toOptions(addNamed(all, agents))}
          value={draft.agent}
          onChange={(agent) => choose({ agent })}
        />
      )}
    </ResourceView>
  );
}

function PickGroup({ draft, choose }: PickProps) {
  const [found, entries] = [useGroupNames(), useEntries({})];
  const { groups } = namesInEntries(entries.value.value ?? []);
  return (
    <ResourceView resource={found}>
      {(all) => (
        <PickList
          label={texts.group}
          name="group_id"
          options={toOptions(addNamed(all, groups))}
          value={draft.group}
          onChange={(group) => choose({ group })}
        />
      )}
    </ResourceView>
  );
}

export function PickTarget({ type, draft, choose }: PickProps & { type: RoleType | undefined }) {
  if (type === undefined) return null;
  if (type === 'agent') return <PickDevice draft={draft} choose={choose} />;
  if (type === 'group') return <PickGroup draft={draft} choose={choose} />;
  return <p class="quiet">{type === 'team' ? texts.team : texts.support}</p>;
}
