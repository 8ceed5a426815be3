/** Suggestions for a new owner, shown above the start page until dismissed. */
import { signedInUser } from '../current-user.ts';
import { path } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton, LinkButton, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { dismissSteps, firstSteps, stepsLeft, type FirstStep } from './first-steps.ts';

const texts = t.signIn.firstSteps;

const stepLinks: Record<FirstStep, { icon: IconName; href: string }> = {
  device: { icon: 'view', href: '/panel/devices/add' },
  client: { icon: 'chat', href: '/panel/support' },
  technician: { icon: 'people', href: '/panel/team' },
};

export function FirstStepsHints() {
  const { id } = signedInUser.value;
  const left = stepsLeft(id);
  if (left.length === 0) return null;
  return (
    <section class="first-steps" aria-label={texts.label}>
      <header class="section-head">
        <h2>{texts.title}</h2>
        <TextButton look="plain" onClick={() => dismissSteps(id, firstSteps)}>
          {texts.dismiss}
        </TextButton>
      </header>
      <ul>
        {left.map((step) => (
          <Hint key={step} step={step} dismiss={() => dismissSteps(id, [step])} />
        ))}
      </ul>
    </section>
  );
}

function Hint({ step, dismiss }: { step: FirstStep; dismiss: () => void }) {
  const { title, text, open } = texts.steps[step];
  const { icon, href } = stepLinks[step];
  return (
    <li>
      <Icon name={icon} />
      <div>
        <h3>{title}</h3>
        <p class="quiet">{text}</p>
        {href === path.value ? <p class="hint">{texts.here}</p> : <LinkButton href={href}>{open}</LinkButton>}
      </div>
      <IconButton icon="end" title={texts.dismissOne(title)} onClick={dismiss} />
    </li>
  );
}
