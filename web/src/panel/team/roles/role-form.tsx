/** The dialog that creates or edits a role: its name, description and permissions. */
import { useId, useState } from 'preact/hooks';
import { permissionIds, roleTypes, type RoleType } from '@drawbridge/contract/permissions';
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { FieldNotes, useFieldFeedback } from '../../ui/forms/field-feedback.tsx';
import { TextButton } from '../../ui/button.tsx';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Checkbox, Form, Select, TextArea, TextField } from '../../ui/forms/form.tsx';
import { showNotice } from '../../ui/notices.ts';
import { withFieldError } from '../with-field-error.ts';
import { permissionText } from '../access/permission-texts.ts';

const texts = t.team.roles;

interface Draft {
  name: string;
  description: string;
  type: RoleType;
  permission: readonly string[];
}

interface PermissionsFieldProps {
  type: RoleType;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function PermissionsField({ type, chosen, onChange }: PermissionsFieldProps) {
  const feedback = useFieldFeedback('permission');
  const id = useId();
  const toggle = (permission: string, on: boolean): void =>
    onChange(on ? [...chosen, permission] : chosen.filter((each) => each !== permission));
  return (
    <div class="permissions" role="group" aria-labelledby={id} aria-describedby={feedback.describedBy}>
      <div class="bar">
        <h3 id={id}>{texts.permissions}</h3>
        <span class="spread" />
        <TextButton look="plain" onClick={() => onChange(permissionIds(type))}>
          {texts.all}
        </TextButton>
        <TextButton look="plain" onClick={() => onChange([])}>
          {texts.clear}
        </TextButton>
      </div>
      <FieldNotes feedback={feedback} />
      <div class="permission-list">
        {permissionIds(type).map((permission) => (
          <Checkbox
            key={permission}
            label={permissionText(permission, type)}
            checked={chosen.includes(permission)}
            onChange={(on) => toggle(permission, on)}
          />
        ))}
      </div>
    </div>
  );
}

const typeOptions = roleTypes.map((type) => ({ value: type, text: t.team.types[type] }));

interface RoleFormProps {
  title: string;
  before: Draft;
  /** Absent for a new role. */
  id?: number;
  close: () => void;
}

async function save(id: number | undefined, { type, ...rest }: Draft): Promise<void> {
  const changed = { ...rest, permission: [...rest.permission] };
  await withFieldError<unknown>('permission', () =>
    id === undefined
      ? post('v1/team/role/create', { type, ...changed })
      : post('v1/team/role/edit', { id, ...changed }),
  );
  showNotice(texts.saved);
}

interface NameFieldsProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

const NameFields = ({ draft, onChange }: NameFieldsProps) => (
  <>
    <TextField
      label={texts.name}
      name="name"
      value={draft.name}
      maxLength={128}
      onInput={(name) => onChange({ name })}
      autocomplete="off"
      autofocus
    />
    <TextArea
      label={texts.description}
      name="description"
      rows={2}
      maxLength={1_024}
      value={draft.description}
      onInput={(description) => onChange({ description })}
    />
  </>
);

function RoleForm({ title, before, id, close }: RoleFormProps) {
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<Draft>): void => setDraft((last) => ({ ...last, ...part }));
  const send = async (): Promise<void> => {
    await save(id, draft);
    close();
  };
  return (
    <Dialog title={title} onClose={close} wide>
      <Form submit={id === undefined ? t.common.create : t.common.save} onSubmit={send}>
        <NameFields draft={draft} onChange={change} />
        {id === undefined && (
          <Select
            label={texts.type}
            name="type"
            hint={t.team.typeHints[draft.type]}
            value={draft.type}
            options={typeOptions}
            onChange={(type) => change({ type: type as RoleType, permission: [] })}
          />
        )}
        <PermissionsField
          type={draft.type}
          chosen={draft.permission}
          onChange={(permission) => change({ permission })}
        />
      </Form>
    </Dialog>
  );
}

const empty: Draft = { name: '', description: '', type: 'group', permission: [] };

export const openNewRole = (before: Draft = empty): Promise<void> =>
  openDialog((close) => <RoleForm title={texts.createTitle} before={before} close={close} />);

export const openRoleForm = (id: number, before: Draft): Promise<void> =>
  openDialog((close) => <RoleForm title={texts.editTitle} before={before} id={id} close={close} />);
