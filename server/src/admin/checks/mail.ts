/** Checks that the mail server can be reached and accepts the credentials of this server. */
import type { Config } from '../../config/config.ts';
import { openMailer } from '../../panel/sign-in/mail.ts';
import type { Finding } from '../../store/engine/database.ts';
import { errorText } from '../store-access.ts';
import { ok, problem } from './finding.ts';

const name = 'mail';

export async function mailChecks({ mail }: Config): Promise<Finding[]> {
  if (!mail) return [ok(name, 'No mail server is set: links are shown to the person who creates them.')];
  const { host } = new URL(mail.smtpUrl);
  try {
    await openMailer(mail).check();
    return [ok(name, `${host} accepts mail from ${mail.from}.`)];
  } catch (error) {
    return [problem(name, `${host} does not accept mail (${errorText(error)}): check the setting smtp_url.`)];
  }
}
