/** The dialogs that show the usage of an account's plan and change its limits. */
import { useState } from 'preact/hooks';
import { MeterRow } from '../admin/meter.tsx';
import { amountText, meterNames } from '../admin/meters.ts';
import { post } from '../api.ts';
import { PanelApiError } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/forms/form.tsx';
import { showNotice } from '../ui/notices.ts';
import { toPlanFields, parsePlanFields, toMeter, type Account } from './plan.ts';

const texts = t.server;

interface PlanDialogProps {
  of: Account;
  close: () => void;
  onChanged: () => void;
}

function EditPlanDialog({ of: { account_id, owner, plan, used }, close, onChanged }: PlanDialogProps) {
  const [fields, setFields] = useState(toPlanFields(plan));
  const save = async (): Promise<void> => {
    const limits = parsePlanFields(fields);
    if ('wrong' in limits)
      throw new PanelApiError('invalid', 0, { message: texts.notANumber, field: limits.wrong });
    await post('server/accounts/plan', { account_id, ...limits.plan });
    showNotice(texts.planSaved);
    onChanged();
    close();
  };
  return (
    <Dialog title={texts.planTitle(owner)} onClose={close}>
      <p class="quiet">{texts.planHint}</p>
      <Form submit={t.common.save} onSubmit={save}>
        {meterNames.map((name) => (
          <TextField
            key={name}
            label={texts.fields[name]}
            name={name}
            hint={texts.used(amountText(name, used[name]))}
            value={fields[name]}
            inputMode="numeric"
            autocomplete="off"
            placeholder={texts.unlimitedPlan}
            onInput={(value) => setFields({ ...fields, [name]: value })}
          />
        ))}
      </Form>
    </Dialog>
  );
}

const UsageDialog = ({ of, close, onChanged }: PlanDialogProps) => (
  <Dialog title={texts.planTitle(of.owner)} onClose={close}>
    <div class="meters">
      {meterNames.map((name) => (
        <MeterRow key={name} name={name} meter={toMeter(of, name)} />
      ))}
    </div>
    <div class="row">
      <TextButton
        icon="edit"
        onClick={() => {
          close();
          void openEditPlan(of, onChanged);
        }}
      >
        {texts.editPlan}
      </TextButton>
    </div>
  </Dialog>
);

export const openEditPlan = (of: Account, onChanged: () => void): Promise<void> =>
  openDialog((close) => <EditPlanDialog of={of} close={close} onChanged={onChanged} />);

export const openUsage = (of: Account, onChanged: () => void): Promise<void> =>
  openDialog((close) => <UsageDialog of={of} close={close} onChanged={onChanged} />);
