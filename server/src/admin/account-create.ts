/** `account create`: a new account with its owner, a first key and a sign-in link. */
import { isFault } from '@drawbridge/contract/faults';
import { newAccount } from '../accounts.ts';
import { random } from '../random.ts';
import { migrations } from '../store/migrate.ts';
import { isFailure, refuse, type Command, type Failure, type Outcome, type World } from './command.ts';
import { configOf, find, inStore, newerSchema, olderSchema } from './place.ts';
import { toEmail } from './values.ts';

export const accountCreate: Command = {
  name: 'account create',
  says: 'Create an account with its owner and a first key.',
  options: { email: { takes: 'E', says: 'E-mail address of the owner', required: true } },
  async run({ options }, world) {
    const email = toEmail(options['email']!);
    return typeof email === 'string' ? create(email, world) : email;
  },
};

async function create(email: string, world: World): Promise<Outcome | Failure> {
  const config = await configOf(world);
  if (isFailure(config)) return config;
  const found = await find(config);
  if (isFailure(found)) return found;
  await found?.close();
  const schema = found?.schema ?? 0;
  if (schema > migrations.length) return refuse(newerSchema(schema));
  if (schema > 0 && schema < migrations.length) return refuse(olderSchema(schema));
  return inStore(config, async (store) => {
    const account = newAccount(random, email, config.publicUrl, store.now());
    const created = await store.change('accounts/create', account.input);
    if (isFault(created)) return refuse(created.message!);
    const { apiKey: api_key, signInUrl: sign_in_url } = account;
    return {
      data: { account_id: created.accountId, email, api_key, sign_in_url },
      says: [
        `Account ${created.accountId} belongs to ${email}. Keep these; they are not shown again:`,
        `  Sign-in link (one use, 24 hours): ${sign_in_url}`,
        `  API key: ${api_key}`,
      ].join('\n'),
    };
  });
}
