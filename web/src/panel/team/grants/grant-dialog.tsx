/** The dialog that grants a role: holder, role, target and end. Pages open it with the values they already know. */
import { useState } from 'preact/hooks';
import type { RoleType } from '@drawbridge/contract/permissions';
import { post } from '../../api.ts';
import { fieldError, PanelApiError } from '../../panel-api-error.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { DescriptionList } from '../../ui/layout.tsx';
import { showNotice } from '../../ui/notices.ts';
import { PickList } from '../../ui/forms/pick-list.tsx';
import { ResourceView } from '../../ui/states.tsx';
import { withFieldError } from '../with-field-error.ts';
import { useRoles, type TeamRole } from '../team-data.ts';
import { serverNow, signedInUser } from '../../current-user.ts';
import {
  emptyGrantDraft,
  endOfGrant,
  toGrantRequest,
  grantableRoles,
  type GrantRequest,
  type GrantPreset,
  type GrantDraft,
} from './grant-draft.ts';
import { PickEnd } from './pick-end.tsx';
import { PickTarget } from './pick-target.tsx';
import { PickHolder } from './pick-holder.tsx';
import { permissionSummary } from '../access/permission-texts.ts';

const texts = t.team.give;

const send = ({ to, grant }: GrantRequest, end: { until?: number }) =>
  'email' in to
    ? post('v1/team/member/access/add', { ...to, ...grant, ...end })
    : post('v1/team/department/access/add', { ...to, ...grant, ...end });

/** The values that were known before the dialog opened. */
function presetItems({ holder, role, on }: GrantPreset): [string, string][] {
  const facts: [string, string][] = [];
  if (holder)
    facts.push([texts.whom, 'email' in holder ? holder.email : t.team.grants.department(holder.department)]);
  if (role) facts.push([texts.role, role.name]);
  if (on) facts.push(['agent_id' in on ? texts.device : texts.group, on.name]);
  return facts;
}

const optionsOf = (roles: readonly TeamRole[], { on }: GrantPreset) =>
  grantableRoles(roles, on, signedInUser.value).flatMap(({ type, roles: some }) =>
    some.map(({ id, name, permission }) => ({
      value: String(id),
      text: name,
      hint: permissionSummary(permission, type),
      heading: t.team.types[type],
    })),
  );

interface GrantFormProps {
  preset: GrantPreset;
  roles: readonly TeamRole[];
  close: () => void;
}

function GrantForm({ preset, roles, close }: GrantFormProps) {
  const [draft, setDraft] = useState<GrantDraft>(emptyGrantDraft);
  const choose = (part: Partial<GrantDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const type: RoleType | undefined =
    preset.role?.type ?? roles.find(({ id }) => String(id) === draft.role)?.type;
  const give = async (): Promise<void> => {
    const request = toGrantRequest(preset, draft, type);
    if ('missing' in request)
      throw new PanelApiError('missing', 0, { message: texts.choose, field: request.missing });
    const end = endOfGrant(draft, serverNow());
    if ('missing' in end) throw fieldError(end.missing, texts.futureDay);
    await withFieldError('role_id', () => send(request, end));
    showNotice(texts.given);
    close();
  };
  const facts = presetItems(preset);
  return (
    <Form submit={texts.submit} onSubmit={give}>
      {facts.length > 0 && <DescriptionList items={facts} />}
      {!preset.holder && <PickHolder draft={draft} choose={choose} />}
      {!preset.role && (
        <PickList
          label={texts.role}
          name="role_id"
          options={optionsOf(roles, preset)}
          value={draft.role}
          onChange={(role) => choose({ role })}
        />
      )}
      {!preset.on && <PickTarget type={type} draft={draft} choose={choose} />}
      <PickEnd draft={draft} choose={choose} />
    </Form>
  );
}

function GrantDialog({ preset, close }: { preset: GrantPreset; close: () => void }) {
  const roles = useRoles();
  return (
    <Dialog title={texts.title} onClose={close}>
      <ResourceView resource={roles}>
        {(all) => <GrantForm preset={preset} roles={all} close={close} />}
      </ResourceView>
    </Dialog>
  );
}

export const openGrantDialog = (preset: GrantPreset = {}): Promise<void> =>
  openDialog((close) => <GrantDialog preset={preset} close={close} />);
