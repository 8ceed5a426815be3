/** Checks that the database answers, has the current schema, is not damaged, and that its audit chains are intact. */
import type { Config } from '../../config/config.ts';
import { accountReads } from '../../store/people/accounts.ts';
import { auditReads, hashOf } from '../../store/audit/audit.ts';
import { verifyChainEnd } from '../../store/audit/audit-chain.ts';
import type { Finding, InspectedDatabase } from '../../store/engine/database.ts';
import { migrations, supportsSchema } from '../../store/engine/migrate.ts';
import { isFailure } from '../command.ts';
import {
  findOrRefuse,
  newerSchemaText,
  noStoreText,
  olderSchemaText,
  errorText,
  describeDatabase,
} from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';
import { pictureChecks } from './pictures.ts';
import { secretChecks } from './secrets.ts';

const rowsPerAccount = 1_000;
const name = 'database';

export async function databaseChecks(config: Config, now: number): Promise<Finding[]> {
  const found = await findOrRefuse(config);
  if (isFailure(found)) return [problem(name, found.failure)];
  if (!found || found.schema === 0) return [ok(name, noStoreText(config))];
  try {
    const checks = [
      ok(name, `It can be read (${describeDatabase(config)}).`),
      schemaOf(found),
      ...(await found.examine()),
    ];
    return found.schema >= migrations.length && supportsSchema(found)
      ? [
          ...checks,
          ...(await contentsOf(found, now)),
          ...(await secretChecks(found, config)),
          ...(await pictureChecks(found, config)),
        ]
      : checks;
  } catch (error) {
    return [problem(name, `It cannot be read: ${errorText(error)}.`)];
  } finally {
    await found.close();
  }
}

function schemaOf({ schema, required, pending }: InspectedDatabase): Finding {
  if (!supportsSchema({ required })) return problem('schema', newerSchemaText(required));
  if (schema > migrations.length)
    return warning(
      'schema',
      `A newer Drawbridge has migrated the database to schema ${schema}. This version works with it until the contract step: upgrade it.`,
    );
  if (schema < migrations.length) return warning('schema', olderSchemaText(schema));
  if (pending.length > 0)
    return warning(
      'schema',
      `It is up to date (${schema}), but still has what older servers need: run drawbridge migrate --contract once all are upgraded.`,
    );
  return ok('schema', `It is up to date (${schema}).`);
}

const contentsOf = (found: InspectedDatabase, now: number): Promise<Finding[]> =>
  found.snapshot(async (db) => {
    const audit = auditReads(() => db);
    const accounts = await accountReads(() => db).list();
    const broken: Finding[] = [];
    let latest = 0;
    for (const { accountId, email, createTime } of accounts) {
      const { broken: at } = await verifyChainEnd(audit, accountId, rowsPerAccount, hashOf);
      if (at) broken.push(problem('audit log', `Account ${accountId} (${email}): ${at.says}`));
      const head = await audit.head(accountId);
      const [last] = await audit.chain(accountId, (head?.seq ?? 0) - 1, 1);
      latest = Math.max(latest, createTime, last?.time ?? 0);
    }
    const chains = ok('audit log', `The last ${rowsPerAccount} rows of every account are intact.`);
    return [...(broken.length > 0 ? broken : [chains]), clockOf(latest, Math.floor(now / 1_000))];
  });

/** A clock that is behind the last change is the only wrong clock that can be detected here. */
function clockOf(latest: number, now: number): Finding {
  const behind = latest - now;
  return behind <= 60
    ? ok('clock', 'It is not behind the last change in the database.')
    : problem(
        'clock',
        `It is ${behind} s behind the last change in the database: correct it, and synchronize it with a time server.`,
      );
}
