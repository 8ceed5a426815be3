/** What the server acknowledged to clients, and what they requested without an answer. */

export type RecordKind = 'group' | 'role' | 'department' | 'invitation' | 'agent' | 'grant';

/**
 * `there` and `gone` were acknowledged; `doubtful` is what was requested to be removed when the server died.
 */
type RecordFate = 'there' | 'gone' | 'doubtful';

export interface TrackedRecord {
  kind: RecordKind;
  /** What distinguishes it from all others of its kind, whether or not its creation was acknowledged. */
  name: string;
  fate: RecordFate;
  /** Its id; unknown while its creation was not acknowledged. */
  id?: number;
  /** The new name that was requested when the server died. */
  renamed?: string;
  /** Things that are removed with it. */
  hangsOn?: TrackedRecord[];
}

export interface WriteLog {
  records: TrackedRecord[];
  /** Requested to be created, without an answer. */
  lost: TrackedRecord[];
  acknowledged: number;
}

export const createWriteLog = (): WriteLog => ({ records: [], lost: [], acknowledged: 0 });

/** What was found of a kind: by name, with its id. */
export type StoredRecords = Record<RecordKind, Map<string, number>>;

/**
 * Compares what was acknowledged with what is there; returns every broken promise as text. What is there
 * settles doubts.
 */
export function reconcile(writeLog: WriteLog, found: StoredRecords): string[] {
  for (const record of writeLog.lost) if (found[record.kind].has(record.name)) adopt(writeLog, record, found);
  writeLog.lost = [];
  const broken = writeLog.records.flatMap((record) => reconcileOne(record, found[record.kind]));
  writeLog.records = writeLog.records.filter((record) => record.fate === 'there');
  return broken;
}

function adopt(writeLog: WriteLog, record: TrackedRecord, found: StoredRecords): void {
  writeLog.records.push({ ...record, fate: 'there', id: found[record.kind].get(record.name)! });
}

function reconcileOne(record: TrackedRecord, found: Map<string, number>): string[] {
  if (record.renamed !== undefined && found.has(record.renamed)) record.name = record.renamed;
  delete record.renamed;
  const isThere = found.has(record.name);
  if (record.fate === 'doubtful') record.fate = isThere ? 'there' : 'gone';
  const mayBeGone = record.hangsOn?.some((each) => each.fate !== 'there') ?? false;
  const called = `${record.kind} ${record.name}`;
  if (record.fate === 'gone') return isThere ? [`${called} was removed and is there`] : [];
  if (!isThere) {
    record.fate = 'gone';
    return mayBeGone ? [] : [`${called} was acknowledged and is not there`];
  }
  const isSame = record.id === undefined || record.id === found.get(record.name);
  return isSame ? [] : [`${called} has another number`];
}
