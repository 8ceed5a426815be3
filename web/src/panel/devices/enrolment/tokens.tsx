/** The list of enrolment tokens with which devices can still join. */
import { get, post, type ApiRequestOptions, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { loadPersonLabels } from '../../team/people/load-person-names.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { AbsoluteTime } from '../../ui/time.tsx';
import { groupName } from '../device-store.ts';

const texts = t.devicesMore.add;

interface Token extends Omit<OutputOf<'v1/agents/enroll/list'>['data'][number], 'email'> {
  /** The person who created it, with their name. */
  creator: string;
}

async function loadTokens(options: ApiRequestOptions): Promise<Token[]> {
  const { data } = await get('v1/agents/enroll/list', {}, options);
  const labelOf = await loadPersonLabels(
    data.map(({ email }) => email),
    options,
  );
  return data.map(({ email, ...token }) => ({ ...token, creator: labelOf(email) }));
}

const groupText = ({ group_id }: Token): string =>
  group_id === undefined ? t.common.none : groupName(group_id) || t.common.none;

async function revoke({ id }: Token): Promise<void> {
  const question = { title: texts.revokeTitle, text: texts.revokeText, yes: texts.revoke };
  if (await confirmAction(question))
    await attempt(() => post('v1/agents/enroll/revoke', { id }), texts.revoked);
}

const columnsOf = (reload: () => void): readonly Column<Token>[] => [
  { title: texts.by, id: 'by', sortBy: ({ creator }) => creator, render: ({ creator }) => creator },
  { title: t.devices.group, id: 'group', sortBy: groupText, wideOnly: true, render: groupText },
  {
    title: texts.used,
    id: 'used',
    sortBy: ({ uses, uses_left }) => uses - uses_left,
    render: ({ uses, uses_left }) => texts.usedOf(uses - uses_left, uses),
    width: '100px',
  },
  {
    title: texts.until2,
    id: 'until',
    sortBy: ({ expires }) => expires,
    render: ({ active, expires }) => (active ? <AbsoluteTime time={expires} /> : texts.inactive),
  },
  {
    title: '',
    width: '100px',
    render: (token) => (
      <span class="cell-end">
        <TextButton onClick={() => void revoke(token).then(reload)}>{texts.revoke}</TextButton>
      </span>
    ),
  },
];

export function EnrolmentTokens() {
  const tokens = useResource('tokens', loadTokens, ['account']);
  return (
    <Section title={texts.tokens} lead={texts.tokensLead}>
      <ResourceView resource={tokens}>
        {(found) =>
          found.length === 0 ? (
            <p class="quiet">{texts.noTokens}</p>
          ) : (
            <DataTable
              label={texts.table}
              name="tokens"
              columns={columnsOf(() => void tokens.reload())}
              rows={found}
              keyOf={({ id }) => id}
            />
          )
        }
      </ResourceView>
    </Section>
  );
}
