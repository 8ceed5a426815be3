/** The quick support page: open invitations, a button to create one, and running sessions. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, type ApiRequestOptions } from '../api.ts';
import { RunningSessions } from '../history/running-sessions.tsx';
import { mayInSupport, signedInUser, serverNow } from '../current-user.ts';
import { WaitingClientsOffer } from '../notifications/waiting-clients-offer.tsx';
import { useResource } from '../resource.ts';
import { loadPersonLabels } from '../team/people/load-person-names.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { PageLayout } from '../ui/layout.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import { PagedList } from '../ui/tables/pager.tsx';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import { createInvitation } from './invitation-actions.ts';
import { InvitationCard } from './invitation-card.tsx';
import { newlyJoined, sortByUrgency, remainText, clientLabel, type SupportInvitation } from './invitation.ts';
import { openShareDialog } from './share-dialog.tsx';

const { support: texts } = t;

const pageSize = 48;

interface SupportData {
  remain: number;
  invitations: SupportInvitation[];
  /** By whom each was created, as text, by invitation id. */
  creators: ReadonlyMap<number, string>;
}

async function loadInvitations(options: ApiRequestOptions): Promise<SupportData> {
  const [{ remain, data }, made] = await Promise.all([
    get('v1/support/list', {}, options),
    // Users who see the invitations of others also see who created them.
    mayInSupport('quick_support_technical') ? get('support/creators', {}, options) : undefined,
  ]);
  const labelOf = await loadPersonLabels(made?.data.map(({ email }) => email) ?? [], options);
  const creatorText = (email: string): string =>
    email === signedInUser.value.email ? texts.mine : texts.createdBy(labelOf(email));
  const creators = made
    ? made.data.map(({ connection_id, email }) => [connection_id, creatorText(email)] as const)
    : data.map(({ id }) => [id, texts.mine] as const);
  return { remain, invitations: data, creators: new Map(creators) };
}

/** Shows a notice when a client joins, because the user may be looking elsewhere on the page. */
function useJoinNotices(shown: SupportData | undefined): void {
  const before = useRef<SupportData | undefined>(undefined);
  useEffect(() => {
    if (before.current && shown)
      for (const each of newlyJoined(before.current.invitations, shown.invitations))
        showNotice(texts.here(clientLabel(each)));
    before.current = shown;
  }, [shown]);
}

function CreateButton({ remain, reload }: { remain: number | undefined; reload: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      openShareDialog(await createInvitation(), true);
      await reload();
    });
    setBusy(false);
  };
  return (
    <TextButton look="primary" icon="add" busy={busy} disabled={remain === 0} onClick={() => void create()}>
      {texts.create}
    </TextButton>
  );
}

export function SupportPage() {
  const resource = useResource('invitations', loadInvitations, ['support']);
  const shown = resource.value.value;
  useJoinNotices(shown);
  const button = <CreateButton remain={shown?.remain} reload={resource.reload} />;
  const left = shown && remainText(shown.remain, serverNow());
  return (
    <PageLayout
      title={texts.title}
      lead={left}
      actions={shown?.invitations.length === 0 ? undefined : button}
    >
      <ResourceView resource={resource}>
        {({ invitations, creators }) =>
          invitations.length === 0 ? (
            <EmptyState icon="chat" title={texts.empty.title}>
              <p class="quiet state-text">{texts.empty.text}</p>
              {button}
            </EmptyState>
          ) : (
            <section class="invitation-list" aria-labelledby="invitations">
              <h2 id="invitations">{texts.list}</h2>
              <PagedList items={sortByUrgency(invitations)} size={pageSize}>
                {(some) => (
                  <ul class="invitations">
                    {some.map((each) => (
                      <InvitationCard key={each.id} invitation={each} creator={creators.get(each.id)} />
                    ))}
                  </ul>
                )}
              </PagedList>
            </section>
          )
        }
      </ResourceView>
      <WaitingClientsOffer />
      <RunningSessions />
    </PageLayout>
  );
}
