/** The profile section that chooses the colour theme. */
import { t } from '../texts/index.ts';
import { chooseTheme, theme, themes } from '../theme.ts';
import { Section } from '../ui/layout.tsx';

const texts = t.profile.colours;

export const ThemeSection = () => (
  <Section title={texts.title}>
    <fieldset class="choices">
      <legend class="unseen">{texts.label}</legend>
      {themes.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="theme"
            checked={theme.value === each}
            onChange={() => chooseTheme(each)}
          />
          {t.common.nav.themes[each]}
        </label>
      ))}
    </fieldset>
    <p class="hint">{texts.hint}</p>
  </Section>
);
