/** A preview of the brand in the light and the dark colour scheme. */
import { shadesOf } from '../../ui/accent.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { adjustmentOf, isColour, defaultAccent } from './brand.ts';

const texts = t.admin.branding;

interface Sample {
  name: string;
  logo: string;
  /** Empty for the default colour. */
  accent: string;
}

function SchemeSample({ scheme, of: { name, logo, accent } }: { scheme: 'light' | 'dark'; of: Sample }) {
  const shades = shadesOf(accent, scheme);
  const style = {
    colorScheme: scheme,
    '--accent': shades.accent,
    '--accent-text': shades.text,
    '--accent-strong': shades.strong,
  };
  return (
    <figure class="brand-sample" style={style}>
      <figcaption class="quiet">{texts[scheme]}</figcaption>
      <span class="brand">
        {logo ? <img src={logo} alt="" /> : <Icon name="bridge" />}
        <span>{name || t.common.product}</span>
      </span>
      <span class="bar">
        <span class="button primary">{texts.sampleButton}</span>
        <span class="sample-link">{texts.sampleLink}</span>
        <span class="badge accent">{texts.sampleBadge}</span>
      </span>
    </figure>
  );
}

export function BrandPreview({ of }: { of: Sample }) {
  const accent = isColour(of.accent) ? of.accent : defaultAccent;
  const isOwn = isColour(of.accent);
  return (
    <>
      <div class="brand-samples">
        <SchemeSample scheme="light" of={{ ...of, accent }} />
        <SchemeSample scheme="dark" of={{ ...of, accent }} />
      </div>
      {isOwn && (
        <p class="quiet" role="status">
          {texts.adjusted[adjustmentOf(accent)]}
        </p>
      )}
    </>
  );
}
