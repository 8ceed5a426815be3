/** The dialog that compares two devices and merges one into the other. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { DescriptionList } from '../../ui/layout.tsx';
import { showNotice } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { AbsoluteTime } from '../../ui/time.tsx';
import { readableId } from '../device.ts';
import type { DuplicateDevice } from './duplicate-device.ts';
import { osName } from '../os.ts';
import { DeviceState } from '../device-state.tsx';

const texts = t.devicesMore.duplicates;

type Info = OutputOf<'v1/agents/info'>['data'];

const infoOf = async ({ id }: DuplicateDevice): Promise<Info> =>
  (await get('v1/agents/info', { agent_id: id })).data;

const factsOf = (info: Info) =>
  [
    [texts.columns.id, readableId(info.device_id)],
    [texts.columns.state, <DeviceState {...info} />],
    [texts.columns.group, info.group || t.common.none],
    [texts.columns.os, osName(info.os) || t.common.none],
    [texts.columns.user, info.os_user || t.common.none],
    [texts.columns.linked, <AbsoluteTime time={info.link_time} />],
    [texts.columns.sessions, String(info.sessions.total)],
  ] as const;

interface MergeCandidateProps {
  info: Info;
  isKept: boolean;
  onKeep: () => void;
}

const MergeCandidate = ({ info, isKept, onKeep }: MergeCandidateProps) => (
  <div class={isKept ? 'twin kept' : 'twin'}>
    <label class="twin-head">
      <input type="radio" name="kept" checked={isKept} onChange={onKeep} aria-label={texts.keep(info.name)} />
      <strong>{info.name}</strong>
    </label>
    <p class="quiet">{isKept ? texts.stays : texts.goes}</p>
    <DescriptionList items={factsOf(info)} />
  </div>
);

function MergeDialog({
  source,
  target,
  close,
}: {
  source: DuplicateDevice;
  target: DuplicateDevice;
  close: () => void;
}) {
  const [kept, setKept] = useState(target.id);
  const both = useResource(`${source.id} ${target.id}`, () => Promise.all([infoOf(target), infoOf(source)]));
  const [stays, goes] = kept === target.id ? [target, source] : [source, target];
  const send = async (): Promise<void> => {
    await post('v1/agents/merge', { agent_id: goes.id, target_agent_id: stays.id });
    showNotice(texts.merged(stays.name));
    close();
  };
  return (
    <Dialog title={texts.mergeTitle} onClose={close} wide>
      <p>{texts.mergeText}</p>
      <ResourceView resource={both}>
        {(infos) => (
          <Form onSubmit={send} submit={texts.merge} look="danger">
            <div class="twins" role="radiogroup" aria-label={texts.choose}>
              {infos.map((info) => (
                <MergeCandidate
                  key={info.id}
                  info={info}
                  isKept={info.id === kept}
                  onKeep={() => setKept(info.id)}
                />
              ))}
            </div>
          </Form>
        )}
      </ResourceView>
    </Dialog>
  );
}

export const openMergeDialog = (source: DuplicateDevice, target: DuplicateDevice): Promise<void> =>
  openDialog((close) => <MergeDialog source={source} target={target} close={close} />);
