/** How the last import of a directory ended. */
import { t } from '../../texts/index.ts';
import { Badge } from '../../ui/layout.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import type { Directory } from './directory-data.ts';

const texts = t.directories;

export const LastImport = ({ of: { last_time, last_problem } }: { of: Directory }) =>
  last_time === 0 ? (
    <span class="quiet">{texts.never}</span>
  ) : (
    <span class="cell-name">
      <Badge tone={last_problem === '' ? 'good' : 'bad'}>{texts.shortProblems[last_problem]}</Badge>
      <span>
        <RelativeTime time={last_time} />
      </span>
    </span>
  );
