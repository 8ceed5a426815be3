/** The dialog with the policy of a group. */
import { useEffect, useState } from 'preact/hooks';
import { get, post } from '../api.ts';
import type { DeviceGroup } from '../devices/list/filter.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { PolicyForm } from './policy-form.tsx';
import type { ExplainedPolicy } from './policy-options.ts';

function GroupPolicyDialog({ group: { id, name }, close }: { group: DeviceGroup; close: () => void }) {
  const [policy, setPolicy] = useState<ExplainedPolicy | undefined>();
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    void get('v1/groups/policy', { id }).then(({ data }) => setPolicy(data), setProblem);
  }, []);
  return (
    <Dialog title={t.policies.groupTitle(name)} onClose={close}>
      <p class="quiet">{t.policies.groupLead}</p>
      {problem !== undefined && <p role="alert">{toErrorMessage(problem)}</p>}
      {policy === undefined ? (
        problem === undefined && <Loading />
      ) : (
        <PolicyForm
          policy={policy}
          level="group"
          save={async (choices) => {
            await post('v1/groups/policy/update', { id, ...choices });
            close();
          }}
        />
      )}
    </Dialog>
  );
}

export const openGroupPolicy = (group: DeviceGroup): Promise<void> =>
  openDialog((close) => <GroupPolicyDialog group={group} close={close} />);
