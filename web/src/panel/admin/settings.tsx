/** The page with the settings of the account. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { Checkbox, Form } from '../ui/forms/form.tsx';
import { Section } from '../ui/layout.tsx';
import { showNotice } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { AdminPage } from './admin-page.tsx';

const texts = t.admin.settings;

type AccountSettings = OutputOf<'v1/account/info'>['data'];

function Fields({ of, reload }: { of: AccountSettings; reload: () => Promise<void> }) {
  const [changed, setChanged] = useState<Partial<AccountSettings>>({});
  const shown = { ...of, ...changed };
  const save = async (): Promise<void> => {
    await post('v1/account/update', changed);
    await reload();
    setChanged({});
    showNotice(t.common.saved);
  };
  return (
    <Section>
      <Form submit={t.common.save} onSubmit={save} disabled={Object.keys(changed).length === 0}>
        <h2>{texts.devices}</h2>
        <Checkbox
          label={texts.approve}
          hint={texts.approveHint}
          checked={shown.approve_devices}
          onChange={(approve_devices) => setChanged({ ...changed, approve_devices })}
        />
        <h2>{texts.sessions}</h2>
        <Checkbox
          label={texts.record}
          hint={texts.recordHint}
          checked={shown.record}
          onChange={(record) => setChanged({ ...changed, record })}
        />
      </Form>
    </Section>
  );
}

export function AccountSettingsPage() {
  const settings = useResource(
    'settings',
    async (options) => (await get('v1/account/info', {}, options)).data,
    ['account'],
  );
  return (
    <AdminPage here="settings" lead={texts.lead}>
      <ResourceView resource={settings}>
        {(found) => <Fields of={found} reload={settings.reload} />}
      </ResourceView>
    </AdminPage>
  );
}
