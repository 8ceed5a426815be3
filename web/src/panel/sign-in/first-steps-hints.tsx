/** Suggestions for a new owner, shown above the start page until dismissed; each is ticked off once it is done. */
import type { Topic } from '@drawbridge/contract/panel/events';
import { get } from '../api.ts';
import { signedInUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { path } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton, LinkButton, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { dismissSteps, firstSteps, stepsLeft, type FirstStep } from './first-steps.ts';

const texts = t.signIn.firstSteps;

/** What is done when one of these changes. */
const topics: readonly Topic[] = ['agents', 'support', 'team'];

const stepLinks: Record<FirstStep, { icon: IconName; href: string }> = {
  device: { icon: 'view', href: '/panel/devices/add' },
  client: { icon: 'chat', href: '/panel/support' },
  technician: { icon: 'people', href: '/panel/team' },
};

export function FirstStepsHints() {
  const { id } = signedInUser.value;
  const left = stepsLeft(id);
  return left.length === 0 ? null : <Hints id={id} left={left} />;
}

function Hints({ id, left }: { id: number; left: readonly FirstStep[] }) {
  const done = useResource('first-steps', (options) => get('me/first-steps', {}, options), topics);
  const isDone = (step: FirstStep): boolean => done.value.value?.data[step] === true;
  return (
    <section class="first-steps" aria-label={texts.label}>
      <header class="section-head">
        <h2>{left.every(isDone) ? texts.allDone : texts.title}</h2>
        <TextButton look="plain" onClick={() => dismissSteps(id, firstSteps)}>
          {texts.dismiss}
        </TextButton>
      </header>
      <ul>
        {left.map((step) => (
          <Hint key={step} step={step} isDone={isDone(step)} dismiss={() => dismissSteps(id, [step])} />
        ))}
      </ul>
    </section>
  );
}

interface HintProps {
  step: FirstStep;
  isDone: boolean;
  dismiss: () => void;
}

function Hint({ step, isDone, dismiss }: HintProps) {
  const { title, text, open } = texts.steps[step];
  const { icon, href } = stepLinks[step];
  return (
    <li class={isDone ? 'done' : undefined}>
      <Icon name={isDone ? 'check' : icon} />
      <div>
        <h3>{title}</h3>
        {isDone ? <p class="hint">{texts.done}</p> : <p class="quiet">{text}</p>}
        {!isDone &&
          (href === path.value ? (
            <p class="hint">{texts.here}</p>
          ) : (
            <LinkButton href={href}>{open}</LinkButton>
          ))}
      </div>
      <IconButton icon="end" title={texts.dismissOne(title)} onClick={dismiss} />
    </li>
  );
}
