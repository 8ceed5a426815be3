/** `account create`: creates an account with its owner, a first key and a sign-in link. */
import { isFault } from '@drawbridge/contract/faults';
import { newAccount } from '../compose/create-account.ts';
import { random } from '../edges/random.ts';
import { emptySchema, migrations, supportsSchema } from '../store/engine/migrate.ts';
import {
  isFailure,
  failWith,
  type AdminCommand,
  type Failure,
  type CommandOutcome,
  type ProcessContext,
} from './command.ts';
import { configOf, findOrRefuse, withOpenStore, newerSchemaText, olderSchemaText } from './store-access.ts';
import { toEmailOption } from './values.ts';

export const accountCreate: AdminCommand = {
  name: 'account create',
  says: 'Create an account with its owner and a first key.',
  options: { email: { takes: 'E', says: 'E-mail address of the owner', required: true } },
  async run({ options }, context) {
    const email = toEmailOption(options['email']!);
    return typeof email === 'string' ? create(email, context) : email;
  },
};

async function create(email: string, context: ProcessContext): Promise<CommandOutcome | Failure> {
  const config = await configOf(context);
  if (isFailure(config)) return config;
  const found = await findOrRefuse(config);
  if (isFailure(found)) return found;
  await found?.close();
  const { schema, required } = found ?? emptySchema;
  if (!supportsSchema({ required })) return failWith(newerSchemaText(required));
  if (schema > 0 && schema < migrations.length) return failWith(olderSchemaText(schema));
  return withOpenStore(config, async (store) => {
    const account = newAccount(random, email, config.publicUrl, store.now());
    const created = await store.change('accounts/create', account.input);
    if (isFault(created)) return failWith(created.message!);
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
