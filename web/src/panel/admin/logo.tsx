/** The form that shows, replaces and removes the logo. */
import { useId, useRef, useState } from 'preact/hooks';
import { maxLogoSide } from '@drawbridge/contract/logo';
import { post, postFile } from '../api.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import { maxLogoKib, logoTypes, logoFileProblem, logoSizeProblem } from './brand.ts';

const texts = t.admin.branding;

/** Checks the image in the browser before it is sent; the server checks again. */
async function findLogoProblem(file: File): Promise<string | undefined> {
  const problem = logoFileProblem(file);
  if (problem !== undefined) return problem;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return texts.wrongKind;
  const { width, height } = picture;
  picture.close();
  return logoSizeProblem(width, height);
}

interface LogoFormProps {
  logo: string;
  onChanged: () => Promise<unknown>;
}

/** Uploads and removes the logo; keeps the busy state and the last problem. */
function useLogo(onChanged: LogoFormProps['onChanged']) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (file: File): Promise<void> => {
    setBusy(true);
    try {
      const found = await findLogoProblem(file);
      setProblem(found);
      if (found !== undefined) return;
      await postFile('v1/branding/logo', {}, file);
      await onChanged();
      showNotice(texts.logoSet);
    } catch (error) {
      setProblem(toErrorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const remove = async (): Promise<void> => {
    setProblem(undefined);
    if (await attempt(() => post('v1/branding/logo/remove', {}), texts.logoRemoved)) await onChanged();
  };
  return { problem, busy, send, remove };
}

export function LogoForm({ logo, onChanged }: LogoFormProps) {
  const id = useId();
  const { problem, busy, send, remove } = useLogo(onChanged);
  return (
    <Section title={texts.logo}>
      <div class="logo-now">
        {logo ? <img src={logo} alt={texts.logo} /> : <p class="quiet">{texts.noLogo}</p>}
      </div>
      <p id={id} class="hint">
        {texts.logoHint(maxLogoKib, maxLogoSide)}
      </p>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {problem}
        </p>
      )}
      <LogoButtons hasLogo={logo !== ''} busy={busy} onSend={send} onRemove={remove} />
    </Section>
  );
}

interface LogoButtonsProps {
  hasLogo: boolean;
  busy: boolean;
  onSend: (file: File) => Promise<void>;
  onRemove: () => Promise<void>;
}

function LogoButtons({ hasLogo, busy, onSend, onRemove }: LogoButtonsProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        hidden
        aria-label={texts.choose}
        accept={logoTypes.join()}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void onSend(file);
          // Without this, choosing the same file again would not fire a change event.
          currentTarget.value = '';
        }}
      />
      <div class="bar">
        <TextButton icon="bring" busy={busy} onClick={() => inputRef.current?.click()}>
          {hasLogo ? texts.replace : texts.choose}
        </TextButton>
        {hasLogo && (
          <TextButton look="plain" icon="trash" onClick={() => void onRemove()}>
            {texts.removeLogo}
          </TextButton>
        )}
      </div>
    </>
  );
}
