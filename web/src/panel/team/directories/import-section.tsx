/** Tests a directory, shows what an import would change, and imports. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { DescriptionList, Section } from '../../ui/layout.tsx';
import { showError } from '../../ui/notices.ts';
import { Loading } from '../../ui/states.tsx';
import { AbsoluteTime } from '../../ui/time.tsx';
import { scheduleText } from './directory-draft.ts';
import type { Directory, DirectoryReport } from './directory-data.ts';
import { LastImport } from './directory-state.tsx';
import { ImportReportView } from './import-report.tsx';

const texts = t.directories;

type Work = 'plan' | 'run' | 'confirm';

const work = {
  plan: async (id: number) => (await post('v1/team/directory/plan', { id })).data,
  run: async (id: number) => (await post('v1/team/directory/run', { id })).data,
  // What was shown is confirmed, and not what an import would take away by now.
  confirm: async (id: number, shown: number) =>
    (await post('v1/team/directory/run', { id, confirm_removals: true, removed_percent: shown })).data,
} satisfies Record<Work, (id: number, shown: number) => Promise<DirectoryReport>>;

interface Result {
  report: DirectoryReport;
  isDone: boolean;
}

/** Asks below the list of changes, so that the user sees what would be taken away. */
const RemovalQuestion = ({
  percent,
  limit,
  onYes,
}: {
  percent: number;
  limit: number;
  onYes: () => void;
}) => (
  <>
    <p>{texts.confirmText(percent, limit)}</p>
    <div class="row">
      <TextButton look="danger" onClick={onYes}>
        {texts.confirmYes}
      </TextButton>
    </div>
  </>
);

const Facts = ({ of }: { of: Directory }) => (
  <DescriptionList
    items={[
      [texts.last, <LastImport of={of} />],
      ...(of.last_problem === '' ? [] : ([[texts.unchanged, texts.problems[of.last_problem]]] as const)),
      [texts.schedule, scheduleText(of)],
      ...(of.next_time === 0 ? [] : ([[texts.next, <AbsoluteTime time={of.next_time} />]] as const)),
    ]}
  />
);

interface ActionsProps {
  isRunning: boolean;
  onBegin: (which: Work) => void;
}

const ImportActions = ({ isRunning, onBegin }: ActionsProps) => (
  <>
    <TextButton icon="search" disabled={isRunning} onClick={() => onBegin('plan')}>
      {texts.plan}
    </TextButton>
    <TextButton look="primary" icon="install" disabled={isRunning} onClick={() => onBegin('run')}>
      {texts.run}
    </TextButton>
  </>
);

export function ImportSection({ directory }: { directory: Directory }) {
  const [running, setRunning] = useState<Work>();
  const [result, setResult] = useState<Result>();
  const begin = async (which: Work): Promise<void> => {
    setRunning(which);
    setResult(undefined);
    try {
      const report = await work[which](directory.id, result?.report.removed_percent ?? 0);
      setResult({ report, isDone: which !== 'plan' });
    } catch (error) {
      showError(error);
    } finally {
      setRunning(undefined);
    }
  };
  const actions = <ImportActions isRunning={running !== undefined} onBegin={(which) => void begin(which)} />;
  return (
    <Section title={texts.import} lead={texts.importLead} actions={actions}>
      <Facts of={directory} />
      <div aria-live="polite">
        {running && <Loading text={running === 'plan' ? texts.planning : texts.running} />}
        {result && <ImportReportView {...result} />}
        {result?.report.problem === 'too_many_removals' && (
          <RemovalQuestion
            percent={result.report.removed_percent}
            limit={directory.removal_percent}
            onYes={() => void begin('confirm')}
          />
        )}
      </div>
    </Section>
  );
}
