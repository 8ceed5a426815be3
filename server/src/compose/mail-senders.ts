/** What sends e-mails of the panel and of handlers. */
import type { ShareLimiter } from '../edges/guess-limiter.ts';
import type { Log } from '../edges/log.ts';
import { createMailBudget } from '../edges/outbound/mail-budget.ts';
import { createMailSender, type MailSettings } from '../panel/sign-in/mail.ts';
import type { HandlerContext } from '../handlers/handler.ts';

/** E-mails that people cause have a limit per address of their own, so that nobody uses up that of sign-in links. */
export function createMailSenders(
  settings: MailSettings | undefined,
  share: ShareLimiter,
  log: Pick<Log, 'warn'>,
): Pick<HandlerContext, 'mail' | 'mailBy'> {
  const send = createMailSender(settings, log);
  return { mail: createMailSender(settings, log), mailBy: send && createMailBudget(send, share) };
}
