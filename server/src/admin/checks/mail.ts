/** Whether the mail server can be reached and lets this server in. */
import type { Config } from '../../config.ts';
import { openMail } from '../../panel/mail.ts';
import type { Finding } from '../../store/dialect.ts';
import { reasonOf } from '../place.ts';
import { ok, problem } from './finding.ts';

const name = 'mail';

export async function mailChecks({ mail }: Config): Promise<Finding[]> {
  if (!mail) return [ok(name, 'None is set: links are shown to whoever makes them.')];
  const { host } = new URL(mail.smtpUrl);
  try {
    await openMail(mail).check();
    return [ok(name, `${host} takes letters from ${mail.from}.`)];
  } catch (error) {
    return [problem(name, `${host} does not let letters in (${reasonOf(error)}): correct smtp_url.`)];
  }
}
