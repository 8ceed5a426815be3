/** Plans an import from a directory and carries it out in one transaction, in SQL. */
import { fault } from '@drawbridge/contract/faults';
import type { Kysely } from 'kysely';
import type { DirectoryReading } from '../../../domain/people/directory-connection.ts';
import {
  exceedsRemovals,
  planImport,
  type ImportPlan,
  type PlanRefusal,
  type StoredDirectory,
} from '../../../domain/people/directory-plan.ts';
import {
  describePlan,
  emptyReport,
  type ImportProblem,
  type ImportReport,
  type ImportTarget,
} from '../../../domain/people/directory-report.ts';
import type { DirectorySnapshot } from '../../../domain/people/directory.ts';
import { gainsRights } from '../../../domain/people/escalation.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Change, Tx } from '../../engine/transaction.ts';
import { bumpRightsVersion, lockRights } from '../account-versions.ts';
import { loadActor } from '../actors.ts';
import { beyondOwnRights } from '../roles.ts';
import { applyPlan } from './apply-plan.ts';
import { departmentsGiveUnheld } from './given-permissions.ts';
import { keepHigherAddresses, storedDirectory } from './stored-directory.ts';

interface Planned {
  plan: ImportPlan;
  stored: StoredDirectory;
  report: ImportReport;
}

const settingsOf = (db: Kysely<Tables>, { accountId, id }: ImportTarget) =>
  db
    .selectFrom('directory')
    .select(['adopt', 'removal_percent'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Plans again until everybody whose address would change was checked. */
async function planWithinRights(
  tx: Tx,
  target: ImportTarget,
  snapshot: DirectorySnapshot,
  adopt: boolean,
): Promise<{ plan: ImportPlan; stored: StoredDirectory } | { refused: PlanRefusal }> {
  const isOwner = (await loadActor(tx, target.accountId, target.by))?.owner === true;
  let stored = await storedDirectory(tx.db, target);
  const checked = new Set<number>();
  for (;;) {
    const plan = planImport(snapshot, stored, { adopt });
    if ('refused' in plan) return plan;
    const changed = [...plan.changeEmails, ...plan.adoptPeople].map(({ memberId }) => memberId);
    const unchecked = new Set(changed).difference(checked);
    if (isOwner || unchecked.size === 0) return { plan, stored };
    stored = await keepHigherAddresses(tx, target, stored, unchecked);
    for (const memberId of unchecked) checked.add(memberId);
  }
}

async function planSnapshot(
  tx: Tx,
  target: ImportTarget,
  reading: DirectoryReading,
): Promise<Planned | { report: ImportReport } | undefined> {
  const settings = await settingsOf(tx.db, target);
  if (!settings) return undefined;
  if ('failure' in reading) return { report: emptyReport(reading.failure) };
  const { snapshot } = reading;
  const planned = await planWithinRights(tx, target, snapshot, settings.adopt === 1);
  if ('refused' in planned) return { report: emptyReport(planned.refused) };
  const { plan, stored } = planned;
  const problem: ImportProblem = exceedsRemovals(plan, settings.removal_percent) ? 'too_many_removals' : '';
  const changes = describePlan(plan, stored, snapshot);
  return { plan, stored, report: { problem, removedPercent: plan.removedPercent, changes } };
}

/** What an import would do now; undefined if there is no such directory. */
export const planDirectory = async (
  tx: Tx,
  target: ImportTarget,
  reading: DirectoryReading,
): Promise<ImportReport | undefined> => (await planSnapshot(tx, target, reading))?.report;

/** The stored departments that somebody joins. */
function joinedDepartments({ plan, stored }: Planned): number[] {
  const joined = new Set(plan.join.map(({ department }) => department));
  return stored.departments.filter(({ uid }) => joined.has(uid)).map((each) => each.departmentId);
}

/** A confirmation is for what was shown: an import that takes away more in the meantime stops again. */
const isAllowed = ({ problem, removedPercent }: ImportReport, confirmedPercent: number): boolean =>
  problem === '' || (problem === 'too_many_removals' && removedPercent <= confirmedPercent);

async function noteOutcome(
  db: Kysely<Tables>,
  { accountId, id }: ImportTarget,
  outcome: { last_time: number; last_problem: ImportProblem },
): Promise<void> {
  await db
    .updateTable('directory')
    .set(outcome)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export const importDirectory: Change<'directories/apply'> = async (
  { db, now },
  { reading, confirmedPercent, ...target },
) => {
  const { accountId, by } = target;
  await lockRights(db, accountId);
  const planned = await planSnapshot({ db, now }, target, reading);
  if (!planned) return fault('not_found', { field: 'id' });
  const { report } = planned;
  if (!('plan' in planned) || !isAllowed(report, confirmedPercent)) {
    await noteOutcome(db, target, { last_time: now, last_problem: report.problem });
    return report;
  }
  const before = await loadActor({ db, now }, accountId, by);
  if (!before || (await departmentsGiveUnheld({ db, now }, before, joinedDepartments(planned))))
    return fault('forbidden', beyondOwnRights);
  await applyPlan({ db, now }, target, planned);
  const after = await loadActor({ db, now }, accountId, by);
  if (after && gainsRights(before, after)) return fault('forbidden', beyondOwnRights);
  if (report.changes.some(({ kind }) => kind !== 'skip')) await bumpRightsVersion(db, accountId);
  await noteOutcome(db, target, { last_time: now, last_problem: '' });
  return { ...report, problem: '' };
};
