/** `audit verify`: checks that no row of the audit log was changed or removed. */
import { fold, stripHostileCharacters } from '../domain/text.ts';
import type { ChainCheck } from '../store/people/account-records.ts';
import { accountReads } from '../store/people/accounts.ts';
import { auditReads } from '../store/audit/audit.ts';
import { countText } from './backup.ts';
import { isFailure, failWith, type AdminCommand } from './command.ts';
import { withCurrentDatabase } from './store-access.ts';
import { toEmailOption } from './values.ts';

interface Verified {
  account_id: number;
  email: string;
  rows: number;
  ok: boolean;
  first_bad?: number;
  says?: string;
}

export const auditVerify: AdminCommand = {
  name: 'audit verify',
  says: 'Check that no row of an audit log was changed or removed.',
  options: { email: { takes: 'E', says: 'Check only the account that this e-mail address owns' } },
  async run({ options }, context) {
    const email = options['email'] === undefined ? undefined : toEmailOption(options['email']);
    if (isFailure(email)) return email;
    return withCurrentDatabase(context, async (found) => {
      const accounts = await found.snapshot(async (db) => {
        const all = await accountReads(() => db).list();
        const chosen = all.filter((each) => email === undefined || fold(each.email) === fold(email));
        const verified: Verified[] = [];
        for (const { accountId, email: owner } of chosen)
          verified.push(toVerified(accountId, owner, await auditReads(() => db).verify(accountId)));
        return verified;
      });
      if (email !== undefined && accounts.length === 0)
        return failWith(`${email} does not own an account on this server.`);
      const ok = accounts.every((each) => each.ok);
      return { data: { ok, accounts }, says: accounts.map(lineOf).join('\n'), exit: ok ? 0 : 1 };
    });
  },
};

const toVerified = (accountId: number, email: string, { rows, broken }: ChainCheck): Verified => ({
  account_id: accountId,
  email,
  rows,
  ok: broken === undefined,
  ...(broken && { first_bad: broken.seq, says: broken.says }),
});

const lineOf = ({ account_id, email, rows, ok, says }: Verified): string =>
  `account ${account_id} (${stripHostileCharacters(email)}): ${ok ? `${countText(rows, 'row')}, intact` : `BROKEN: ${says}`}`;
