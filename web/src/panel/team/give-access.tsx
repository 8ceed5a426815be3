/** The one dialog in which access is given: whom, which role, on what; opened from each of these sides. */
import { useState } from 'preact/hooks';
import type { RoleType } from '@drawbridge/contract/permissions';
import { post } from '../api.ts';
import { PanelApiError } from '../refusal.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { DescriptionList } from '../ui/layout.tsx';
import { showNotice } from '../ui/notices.ts';
import { PickList } from '../ui/pick-list.tsx';
import { ResourceView } from '../ui/states.tsx';
import { withFieldError } from './blamed.ts';
import { useRoles, type TeamRole } from './data.ts';
import { signedInUser } from '../me.ts';
import { emptyWish, givenBy, rolesFor, type Given, type Offer, type Wish } from './giving.ts';
import { PickTarget } from './pick-target.tsx';
import { PickHolder } from './pick-holder.tsx';
import { summaryOf } from './words.ts';

const texts = t.team.give;

const send = ({ to, grant }: Given) =>
  'email' in to
    ? post('v1/team/member/access/add', { ...to, ...grant })
    : post('v1/team/department/access/add', { ...to, ...grant });

/** What was settled before the dialog opened. */
function settled({ holder, role, on }: Offer): [string, string][] {
  const facts: [string, string][] = [];
  if (holder)
    facts.push([texts.whom, 'email' in holder ? holder.email : t.team.grants.department(holder.department)]);
  if (role) facts.push([texts.role, role.name]);
  if (on) facts.push(['agent_id' in on ? texts.device : texts.group, on.name]);
  return facts;
}

const optionsOf = (roles: readonly TeamRole[], { on }: Offer) =>
  rolesFor(roles, on, signedInUser.value).flatMap(({ type, roles: some }) =>
    some.map(({ id, name, permission }) => ({
      value: String(id),
      text: name,
      hint: summaryOf(permission, type),
      heading: t.team.types[type],
    })),
  );

interface StepsProps {
  offer: Offer;
  roles: readonly TeamRole[];
  close: () => void;
}

function Steps({ offer, roles, close }: StepsProps) {
  const [wish, setWish] = useState<Wish>(emptyWish);
  const choose = (part: Partial<Wish>): void => setWish((before) => ({ ...before, ...part }));
  const type: RoleType | undefined =
    offer.role?.type ?? roles.find(({ id }) => String(id) === wish.role)?.type;
  const give = async (): Promise<void> => {
    const given = givenBy(offer, wish, type);
    if ('missing' in given)
      throw new PanelApiError('missing', 0, { message: texts.choose, field: given.missing });
    await withFieldError('role_id', () => send(given));
    showNotice(texts.given);
    close();
  };
  const facts = settled(offer);
  return (
    <Form submit={texts.submit} onSubmit={give}>
      {facts.length > 0 && <DescriptionList items={facts} />}
      {!offer.holder && <PickHolder wish={wish} choose={choose} />}
      {!offer.role && (
        <PickList
          label={texts.role}
          name="role_id"
          options={optionsOf(roles, offer)}
          value={wish.role}
          onChange={(role) => choose({ role })}
        />
      )}
      {!offer.on && <PickTarget type={type} wish={wish} choose={choose} />}
    </Form>
  );
}

function GiveAccess({ offer, close }: { offer: Offer; close: () => void }) {
  const roles = useRoles();
  return (
    <Dialog title={texts.title} onClose={close}>
      <ResourceView resource={roles}>
        {(all) => <Steps offer={offer} roles={all} close={close} />}
      </ResourceView>
    </Dialog>
  );
}

export const openGiveAccess = (offer: Offer = {}): Promise<void> =>
  openDialog((close) => <GiveAccess offer={offer} close={close} />);
