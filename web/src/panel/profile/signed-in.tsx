/** Where a person is signed in, and how that ends. */
import { get, post, type OutputOf } from '../api.ts';
import { clearCurrentUser } from '../me.ts';
import { useResource } from '../resource.ts';
import { navigate } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Badge, Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { DataTable, type Column } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { describeBrowser } from './place-in-words.ts';

const texts = t.profile.sessions;
type Place = OutputOf<'me/sessions'>['data'][number];

export function SignedIn() {
  const places = useResource('signed-in', (options) => get('me/sessions', {}, options), ['me']);
  const end = ({ id }: Place): void =>
    void attempt(async () => {
      await post('me/sessions/end', { id });
      await places.reload();
    }, texts.ended);
  return (
    <Section title={texts.title} actions={<TextButton onClick={() => void endAll()}>{texts.all}</TextButton>}>
      <ResourceView resource={places}>
        {({ data }) => (
          <div class="named-cells">
            <DataTable
              label={texts.table}
              columns={columnsFor(end)}
              rows={data.toSorted((a, b) => Number(b.here) - Number(a.here) || b.last_seen - a.last_seen)}
              keyOf={({ id }) => id}
            />
          </div>
        )}
      </ResourceView>
    </Section>
  );
}

const columnsFor = (end: (place: Place) => void): readonly Column<Place>[] => [
  { title: texts.place, width: 'minmax(0, 1.6fr)', render: ({ user_agent }) => describeBrowser(user_agent) },
  { title: texts.address, render: ({ address }) => address },
  { title: texts.seen, render: ({ last_seen }) => <RelativeTime time={last_seen} /> },
  { title: texts.since, render: ({ create_time }) => <RelativeTime time={create_time} />, wideOnly: true },
  {
    title: '',
    width: '104px',
    render: (place) => (
      <span class="cell-end">
        {place.here ? (
          <Badge tone="accent">{texts.here}</Badge>
        ) : (
          <TextButton title={texts.endLabel(describeBrowser(place.user_agent))} onClick={() => end(place)}>
            {texts.end}
          </TextButton>
        )}
      </span>
    ),
  },
];

async function endAll(): Promise<void> {
  if (!(await confirmAction({ title: texts.allTitle, text: texts.allText, yes: texts.all }))) return;
  await attempt(async () => {
    await post('me/sessions/end-all', {});
    clearCurrentUser();
    navigate('/sign-in');
  });
}
