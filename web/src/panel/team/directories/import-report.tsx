/** What an import changed or would change: how much of each kind, with names. */
import { t } from '../../texts/index.ts';
import { Icon } from '../../ui/icon.tsx';
import type { DirectoryReport } from './directory-data.ts';

const texts = t.directories;

/** How many changes of one kind are listed. */
const maxListed = 200;

type Count = DirectoryReport['counts'][number];

function ChangesOfKind({ of: { kind, count }, changes }: { of: Count; changes: DirectoryReport['changes'] }) {
  const heading = texts.kinds[kind](count);
  const listed = changes.filter((each) => each.kind === kind).slice(0, maxListed);
  return (
    <details class="import-changes">
      <summary>
        {kind === 'skip' && <Icon name="warning" />}
        {heading}
      </summary>
      <ul aria-label={texts.listOf(heading)}>
        {listed.map((each, at) => (
          <li key={at}>{texts.changeOf(each)}</li>
        ))}
        {count > listed.length && <li class="quiet">{texts.andMore(count - listed.length)}</li>}
      </ul>
    </details>
  );
}

interface ImportReportProps {
  report: DirectoryReport;
  /** Whether the report is of an import, and not of a plan. */
  isDone: boolean;
}

const Heading = ({ report: { problem, counts }, isDone }: ImportReportProps) => {
  if (problem !== '')
    return (
      <p class="form-problem">
        {isDone && <strong>{texts.unchanged}: </strong>}
        {texts.problems[problem]}
      </p>
    );
  if (counts.length === 0) return <p>{isDone ? texts.changedNothing : texts.wouldNothing}</p>;
  return <h3>{isDone ? texts.changed : texts.wouldChange}</h3>;
};

export const ImportReportView = ({ report, isDone }: ImportReportProps) => (
  <div class="import-report">
    <Heading report={report} isDone={isDone} />
    {report.counts.map((each) => (
      <ChangesOfKind key={each.kind} of={each} changes={report.changes} />
    ))}
  </div>
);
