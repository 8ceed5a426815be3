/** The links of a device: the permanent link with its password, and the one-time link that renews itself. */
import { useEffect, useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { serverNow } from '../../current-user.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy.tsx';
import { confirmAction, Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { Qr } from '../../ui/qr.tsx';
import { may } from '../rights.ts';
import type { DeviceDetails, TabProps } from './device-details.ts';

const texts = t.device.links;

/** One-time links change every 45 seconds of the server's clock. */
const period = 45;

const QrButton = ({ text, label }: { text: string; label: string }) => (
  <TextButton
    icon="qr"
    onClick={() =>
      void openDialog((close) => (
        <Dialog title={label} onClose={close}>
          <div class="centred">
            <Qr text={text} label={label} />
          </div>
        </Dialog>
      ))
    }
  >
    {texts.qr}
  </TextButton>
);

interface PermanentLinkDialogProps extends DeviceDetails {
  close: () => void;
}

/** Sends only the fields that the user filled in. */
const savePermanentLink = (id: number, path: string, password: string): Promise<unknown> =>
  post('v1/agents/update', {
    id,
    permanent_url: {
      enable: true,
      ...(path !== '' && { url: path }),
      ...(password !== '' && { password }),
    },
  });

function PermanentLinkDialog({ info, close }: PermanentLinkDialogProps) {
  const isOn = info.permanent_url !== undefined;
  const [path, setPath] = useState(info.permanent_url?.split('/').at(-1) ?? '');
  const [password, setPassword] = useState('');
  const send = async (): Promise<void> => {
    await savePermanentLink(info.id, path, password);
    close();
  };
  return (
    <Dialog title={texts.permanent} onClose={close}>
      <p class="quiet">{texts.permanentText}</p>
      <Form onSubmit={send} submit={isOn ? t.common.save : texts.turnOn}>
        <TextField
          label={texts.path}
          name="permanent_url.url"
          hint={texts.pathHint}
          value={path}
          onInput={setPath}
          maxLength={64}
          autocomplete="off"
        />
        <TextField
          label={texts.password}
          name="permanent_url.password"
          type="password"
          autocomplete="new-password"
          hint={isOn ? texts.passwordKept : t.common.passwordRule}
          value={password}
          onInput={setPassword}
        />
      </Form>
    </Dialog>
  );
}

async function turnOff({ info: { id } }: DeviceDetails): Promise<void> {
  const question = { title: texts.turnOffTitle, text: texts.turnOffText, yes: texts.turnOff };
  if (!(await confirmAction(question))) return;
  await attempt(() => post('v1/agents/update', { id, permanent_url: { enable: false } }), t.common.saved);
}

const PermanentLinkView = ({ device, info, reload }: TabProps) => {
  const url = info.permanent_url;
  const edit = (): void =>
    void openDialog((close) => <PermanentLinkDialog device={device} info={info} close={close} />).then(
      reload,
    );
  const mayChange = may(device, 'agent_change_settings');
  return (
    <div class="stack small">
      <h3>{texts.permanent}</h3>
      {url === undefined ? <p class="quiet">{texts.off}</p> : <CopyLine text={url} label={texts.permanent} />}
      <div class="bar">
        {url !== undefined && <QrButton text={url} label={texts.permanentQr} />}
        {mayChange && (
          <TextButton onClick={edit}>{url === undefined ? texts.enable : texts.change}</TextButton>
        )}
        {mayChange && url !== undefined && (
          <TextButton onClick={() => void turnOff({ device, info }).then(reload)}>{texts.turnOff}</TextButton>
        )}
      </div>
    </div>
  );
};

const secondsLeft = (): number => period - (serverNow() % period);

/** Counts down, and reloads the link when the old one expires. */
function useRenewal(isWanted: boolean, refresh: () => Promise<void>): number {
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    if (!isWanted) return undefined;
    let before = secondsLeft();
    const timer = setInterval(() => {
      const now = secondsLeft();
      if (now > before) void refresh();
      before = now;
      setLeft(now);
    }, 1_000);
    return () => clearInterval(timer);
  }, [isWanted]);
  return left;
}

const OneTimeLinkView = ({ info, refresh }: TabProps) => {
  const url = info.onetime_url;
  const left = useRenewal(url !== undefined, refresh);
  return (
    <div class="stack small">
      <h3>{texts.onetime}</h3>
      {url === undefined ? (
        <p class="quiet">{texts.noOnetime}</p>
      ) : (
        <>
          <p class="quiet">{texts.onetimeText}</p>
          <CopyLine text={url} label={texts.onetime} />
          <div class="bar">
            <Qr text={url} label={texts.onetimeQr} />
            <span class="stack small">
              <progress value={left} max={period} aria-label={texts.left(left)} />
              <span class="quiet">{texts.left(left)}</span>
            </span>
          </div>
        </>
      )}
    </div>
  );
};

export const DeviceLinks = (props: TabProps) => (
  <Section title={texts.title}>
    <PermanentLinkView {...props} />
    {may(props.device, 'agent_connect') && <OneTimeLinkView {...props} />}
  </Section>
);
