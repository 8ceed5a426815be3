/** The tab with the files that people attached to a device. */
import { useState } from 'preact/hooks';
import { toDownloadUrl, get, post, type OutputOf, type ApiRequestOptions } from '../../../api.ts';
import { readableBytes } from '../../../../ui/readable.ts';
import { useKeepPrevious, useResource } from '../../../resource.ts';
import { loadPersonLabels } from '../../../team/people/load-person-names.ts';
import { t } from '../../../texts/index.ts';
import { TextButton, LinkButton, IconButton } from '../../../ui/button.tsx';
import { confirmAction, openDialog } from '../../../ui/dialog.tsx';
import { attempt } from '../../../ui/notices.ts';
import { EmptyState, ResourceView } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/tables/table.tsx';
import { type Column } from '../../../ui/tables/column.ts';
import { RelativeTime } from '../../../ui/time.tsx';
import { AttachDialog } from '../attach.tsx';
import { may } from '../../rights.ts';
import type { TabProps } from '../device-details.ts';

const texts = t.device.files;
const pageSize = 100;

type Attached = OutputOf<'v1/agents/files/list'>['data'][number];

async function remove({ id, name }: Attached): Promise<void> {
  const question = { title: texts.removeTitle(name), text: texts.removeText, yes: t.common.remove };
  if (await confirmAction(question))
    await attempt(() => post('v1/agents/files/remove', { id }), texts.removed);
}

const Name = ({ file: { name, note } }: { file: Attached }) => (
  <span class="two-lines">
    <strong>{name}</strong>
    {note !== '' && <span class="quiet">{note}</span>}
  </span>
);

const columnsOf = (mayChange: boolean, reload: () => void): readonly Column<Attached>[] => [
  { title: texts.name, id: 'name', sortBy: ({ name }) => name, render: (file) => <Name file={file} /> },
  { title: texts.size, id: 'size', sortBy: ({ size }) => size, render: ({ size }) => readableBytes(size) },
  {
    title: texts.added,
    id: 'added',
    sortBy: ({ time }) => time,
    wideOnly: true,
    render: ({ time }) => <RelativeTime time={time} />,
  },
  {
    title: texts.by,
    id: 'by',
    sortBy: ({ author }) => author,
    wideOnly: true,
    render: ({ author }) => author,
  },
  {
    title: '',
    width: '170px',
    render: (file) => (
      <span class="cell-end">
        <LinkButton href={toDownloadUrl('v1/agents/files/get', { id: file.id })} download>
          {texts.download}
        </LinkButton>
        {mayChange && (
          <IconButton
            icon="trash"
            title={texts.remove(file.name)}
            onClick={() => void remove(file).then(reload)}
          />
        )}
      </span>
    ),
  },
];

/** Loads the first `limit` files, in pages, with the names of their authors. */
async function loadFiles(agent_id: number, limit: number, options: ApiRequestOptions) {
  const pages = Array.from({ length: Math.ceil(limit / pageSize) }, (_, page) => page * pageSize);
  const loaded = await Promise.all(
    pages.map((offset) => get('v1/agents/files/list', { agent_id, offset, limit: pageSize }, options)),
  );
  const found = loaded.flatMap(({ data }) => data);
  const labelOf = await loadPersonLabels(
    found.map(({ author }) => author),
    options,
  );
  const data = found.map((file) => ({ ...file, author: labelOf(file.author) }));
  return { total: loaded[0]!.total, data };
}

export function FilesTab({ device }: TabProps) {
  const [limit, setLimit] = useState(pageSize);
  const files = useKeepPrevious(
    useResource(
      `files ${device.id} ${limit}`,
      (options) => loadFiles(device.id, limit, options),
      ['agents'],
      {
        isRelevant: (ids) => ids.includes(device.id),
      },
    ),
  );
  const reload = (): void => void files.reload();
  const add = (): void =>
    void openDialog((close) => <AttachDialog agentId={device.id} close={close} />).then(reload);
  return (
    <ResourceView resource={files}>
      {(found) => (
        <FileList
          files={found}
          onMore={() => setLimit(limit + pageSize)}
          onChanged={reload}
          {...(may(device, 'agent_change_settings') && { onAdd: add })}
        />
      )}
    </ResourceView>
  );
}

interface FileListProps {
  files: Awaited<ReturnType<typeof loadFiles>>;
  onMore: () => void;
  onChanged: () => void;
  /** Absent if the user may not change the files. */
  onAdd?: () => void;
}

const FileList = ({ files: { data, total }, onMore, onChanged, onAdd }: FileListProps) => {
  const addButton = onAdd && (
    <TextButton icon="add" look="primary" onClick={onAdd}>
      {texts.add}
    </TextButton>
  );
  if (data.length === 0)
    return (
      <EmptyState icon="file" title={texts.none}>
        <p class="quiet">{texts.noneText}</p>
        {addButton}
      </EmptyState>
    );
  return (
    <>
      <div class="bar">{addButton}</div>
      <DataTable
        label={texts.table}
        name="files"
        columns={columnsOf(onAdd !== undefined, onChanged)}
        rows={data}
        keyOf={({ id }) => id}
      />
      {total > data.length && <TextButton onClick={onMore}>{texts.more}</TextButton>}
    </>
  );
};
