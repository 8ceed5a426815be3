/** The integration page: API keys, the API reference and example commands. */
import { useState } from 'preact/hooks';
import { signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { PageLayout, Section } from '../ui/layout.tsx';
import { cliExamples, curlExamples, keyPlaceholder, trustOptions } from './examples.ts';
import { KeysSection } from './keys.tsx';

const texts = t.integration;

export function IntegrationPage() {
  /** The key that was just created, kept while this page is open. */
  const [key, setKey] = useState('');
  return (
    <PageLayout title={texts.title} lead={texts.lead}>
      <KeysSection made={key} setMade={setKey} />
      <Examples madeKey={key} />
      <div class="columns">
        <ReferenceSection />
        <TrustSection />
      </div>
    </PageLayout>
  );
}

const ReferenceSection = () => (
  <Section title={texts.reference.title} lead={texts.reference.text}>
    <div class="bar">
      <LinkButton href="/docs/" icon="outside" outside>
        {texts.reference.open}
      </LinkButton>
      <LinkButton href="/docs/openapi.json" icon="file" outside>
        {texts.reference.document}
      </LinkButton>
    </div>
  </Section>
);

function Examples({ madeKey }: { madeKey: string }) {
  const key = madeKey || keyPlaceholder;
  const { examples } = texts;
  const cli = cliExamples(signedInUser.value, key);
  return (
    <Section title={examples.title} lead={examples.text}>
      <p>{madeKey === '' ? examples.placeholder : examples.withKey}</p>
      <dl class="examples">
        {curlExamples(signedInUser.value, key).map(({ id, line }) => (
          <ExampleRow
            key={id}
            title={examples[id]}
            line={line}
            hint={id === 'link' ? examples.linkHint : undefined}
          />
        ))}
      </dl>
      <p>{examples.cli}</p>
      <dl class="examples">
        <ExampleRow title={examples.cliLogin} line={cli.login} />
        <ExampleRow title={examples.cliUse} line={cli.use} />
      </dl>
    </Section>
  );
}

const ExampleRow = ({ title, line, hint }: { title: string; line: string; hint?: string | undefined }) => (
  <div>
    <dt>{title}</dt>
    <dd>
      <CopyLine text={line} label={title} />
      {hint !== undefined && <span class="hint">{hint}</span>}
    </dd>
  </div>
);

const TrustSection = () => (signedInUser.value.key_pin === '' ? <AuthoritySection /> : <SelfSignedSection />);

const SelfSignedSection = () => (
  <Section title={texts.trust.title} lead={texts.trust.text}>
    <p>{texts.trust.changes}</p>
    <p class="quiet">{texts.trust.never}</p>
  </Section>
);

const AuthoritySection = () => (
  <Section title={texts.authority.title} lead={texts.authority.text}>
    <p>{texts.authority.curl}</p>
    <CopyLine text={trustOptions.curl} label={texts.authority.curlLabel} />
    <p>{texts.authority.cli}</p>
    <CopyLine text={trustOptions.cli} label={texts.authority.cliLabel} />
  </Section>
);
