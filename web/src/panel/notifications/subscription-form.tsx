/** The form in which a user chooses what is reported of a device, a group or everything. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { NotificationKind } from '@drawbridge/contract/choices';
import { get, post, type OutputOf } from '../api.ts';
import { useResource } from '../resource.ts';
import type { Resource } from '../resource-types.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Checkbox, Form, TextField } from '../ui/forms/form.tsx';
import { attempt, showNotice } from '../ui/notices.ts';

const texts = t.notifications;

export type Subscriptions = OutputOf<'notifications/subscriptions'>;
export type SubscriptionRow = Subscriptions['data'][number];

/** Loads again when rights or names change, because both are part of what is shown. */
export const useSubscriptions = (): Resource<Subscriptions> =>
  useResource('subscriptions', (options) => get('notifications/subscriptions', {}, options), [
    'notifications',
    'agents',
    'groups',
  ]);

export const deviceKinds = ['offline', 'back', 'session_began'] as const;
export const groupKinds = [...deviceKinds, 'new_device'] as const;

export const endSubscription = ({ id }: Pick<SubscriptionRow, 'id'>): Promise<boolean> =>
  attempt(() => post('notifications/unsubscribe', { id }), texts.form.ended);

const EndButton = ({ current }: { current: SubscriptionRow }) => (
  <TextButton onClick={() => void endSubscription(current)}>{texts.form.end}</TextButton>
);

interface SubscriptionFormProps<Kind extends NotificationKind> {
  /** The kinds to choose from. */
  kinds: readonly Kind[];
  current: SubscriptionRow | undefined;
  onSave: (choice: { kinds: Kind[]; minutes: number }) => Promise<unknown>;
  children?: ComponentChildren;
}

export function SubscriptionForm<Kind extends NotificationKind>(props: SubscriptionFormProps<Kind>) {
  const { kinds, current, onSave, children } = props;
  const [chosen, setChosen] = useState<readonly NotificationKind[]>(current?.kinds ?? []);
  const [minutes, setMinutes] = useState(String(current?.minutes ?? 5));
  const save = async (): Promise<void> => {
    await onSave({ kinds: kinds.filter((kind) => chosen.includes(kind)), minutes: Number(minutes) });
    showNotice(texts.form.saved);
  };
  const set = (kind: NotificationKind, isOn: boolean): void =>
    setChosen(isOn ? [...chosen, kind] : chosen.filter((each) => each !== kind));
  return (
    <Form submit={texts.form.save} onSubmit={save} beside={current && <EndButton current={current} />}>
      {children}
      {kinds.map((kind) => (
        <Checkbox
          key={kind}
          label={texts.kinds[kind]}
          {...(kind === 'session_began' && { hint: texts.form.sessionsNeed })}
          checked={chosen.includes(kind)}
          onChange={(isOn) => set(kind, isOn)}
        />
      ))}
      {(chosen.includes('offline') || chosen.includes('back')) && (
        <TextField
          label={texts.form.minutes}
          name="minutes"
          type="number"
          inputMode="numeric"
          hint={texts.form.minutesHint}
          value={minutes}
          onInput={setMinutes}
        />
      )}
    </Form>
  );
}

/** Changes when the subscription does, so that the form starts again from it. */
export const formKey = (current: SubscriptionRow | undefined): string =>
  current ? `${current.id} ${current.kinds.join()} ${current.minutes}` : 'none';
