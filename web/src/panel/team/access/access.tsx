/** The page that shows who may do what, from the perspective of a device, a group or a person. */
import type { ComponentChildren } from 'preact';
import { navigate, query, setQuery } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/forms/form.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import type { Resource } from '../../resource-types.ts';
import { DeviceAccess } from './access-device.tsx';
import { useDeviceNames, useEntries, useGroupNames, usePeople } from '../team-data.ts';
import { openGrantDialog } from '../grants/grant-dialog.tsx';
import { GrantsSection } from '../grants/grants.tsx';
import { filterPeople, takeFirst, matchesSearch, sortedByName } from '../lists.ts';
import { PersonRights } from '../people/person.tsx';
import { personHref } from '../people/person-href.ts';
import { labelWithName } from '../people/person-label.ts';
import { TeamPage, teamTabs } from '../team-page.tsx';

const texts = t.team.access;

const perspectives = ['device', 'group', 'person'] as const;
type Perspective = (typeof perspectives)[number];

const currentPerspective = (): Perspective =>
  perspectives.find((side) => query.value.get('by') === side) ?? 'device';
const currentChoice = (): string => query.value.get('of') ?? '';

interface Item {
  value: string;
  text: string;
}

/** Longer lists must be searched. */
const maxListed = 100;

const hrefOf = (side: Perspective, value: string): string =>
  `${teamTabs.access}?${new URLSearchParams({ by: side, of: value }).toString()}`;

const ItemList = ({ side, items }: { side: Perspective; items: readonly Item[] }) => {
  const search = query.value.get('search') ?? '';
  const { shown, more } = takeFirst(
    items.filter(({ text }) => matchesSearch(text, search)),
    maxListed,
  );
  if (items.length === 0) return <p class="quiet">{texts.none[side]}</p>;
  return (
    <>
      <SearchField label={texts.search} value={search} onInput={(value) => setQuery({ search: value })} />
      <ul class="side-list" aria-label={texts.list[side]}>
        {shown.map(({ value, text }) => (
          <li key={value}>
            <a href={hrefOf(side, value)} aria-current={value === currentChoice() ? 'true' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">{texts.noneFits}</p>}
      {more > 0 && <p class="quiet">{texts.more(more)}</p>}
    </>
  );
};

interface NamedProps {
  id: number;
  name: string;
}

const named = (items: readonly NamedProps[]): Item[] =>
  sortedByName(items).map(({ id, name }) => ({ value: String(id), text: name }));

/** A list beside the chosen item; on a narrow screen one replaces the other. */
const SplitView = ({
  side,
  items,
  children,
}: {
  side: Perspective;
  items: readonly Item[];
  children: ComponentChildren;
}) => {
  const chosen = items.find(({ value }) => value === currentChoice());
  return (
    <div class={`halves ${chosen ? `chosen by-${side}` : ''}`}>
      <div class="half-list">
        <ItemList side={side} items={items} />
      </div>
      <div class="half-main">
        {chosen ? (
          <>
            <div class="bar">
              <h2>{chosen.text}</h2>
              <span class="spread" />
              <span class="narrow-half">
                <TextButton onClick={() => navigate(hrefOf(side, ''), { replace: true })}>
                  {texts.another}
                </TextButton>
              </span>
            </div>
            {children}
          </>
        ) : (
          <EmptyState icon="safe" title={texts.choose[side]}>
            <p class="quiet">{texts.chooseText[side]}</p>
          </EmptyState>
        )}
      </div>
    </div>
  );
};

function ByNamed({ side, of }: { side: 'device' | 'group'; of: Resource<NamedProps[]> }) {
  const id = Number(currentChoice());
  return (
    <ResourceView resource={of}>
      {(all) => (
        <SplitView side={side} items={named(all)}>
          {side === 'device' ? (
            <DeviceAccess key={id} id={id} name={all.find((each) => each.id === id)?.name ?? ''} />
          ) : (
            <OnGroup key={id} id={id} name={all.find((each) => each.id === id)?.name ?? ''} />
          )}
        </SplitView>
      )}
    </ResourceView>
  );
}

const ByDevice = () => <ByNamed side="device" of={useDeviceNames()} />;
const ByGroup = () => <ByNamed side="group" of={useGroupNames()} />;

const OnGroup = ({ id, name }: NamedProps) => (
  <GrantsSection
    title={texts.groupGrants}
    lead={texts.groupGrantsLead}
    none={texts.noGroupGrants}
    omittedColumn="where"
    entries={useEntries({ group_id: id })}
    preset={{ on: { group_id: id, name } }}
  />
);

function ByPerson() {
  const people = usePeople();
  const email = currentChoice();
  return (
    <ResourceView resource={people}>
      {(all) => (
        <SplitView
          side="person"
          items={filterPeople(all, { search: '', state: '', department: '' }).map((each) => ({
            value: each.email,
            text: labelWithName(each.email, each.name),
          }))}
        >
          <p>
            <a href={personHref(email)}>{texts.open}</a>
          </p>
          <PersonRights key={email} email={email} />
        </SplitView>
      )}
    </ResourceView>
  );
}

const parts: Record<Perspective, () => ComponentChildren> = {
  device: () => <ByDevice />,
  group: () => <ByGroup />,
  person: () => <ByPerson />,
};

export function AccessPage() {
  const side = currentPerspective();
  const give = (
    <TextButton look="primary" icon="add" onClick={() => void openGrantDialog()}>
      {t.team.grants.give}
    </TextButton>
  );
  return (
    <TeamPage here="access" actions={give}>
      <Segments
        label={texts.sides}
        options={perspectives.map((value) => ({ value, text: texts[value] }))}
        value={side}
        onChange={(by) => navigate(`${teamTabs.access}?by=${by}`, { replace: true })}
      />
      {parts[side]()}
    </TeamPage>
  );
}
