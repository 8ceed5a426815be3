/** What sends e-mails of the panel and of handlers. */
import type { ShareLimiter } from '../edges/guess-limiter.ts';
import type { Log } from '../edges/log.ts';
import { createMailBudget } from '../edges/outbound/mail-budget.ts';
import { createMailSender, type MailSettings } from '../panel/sign-in/mail.ts';
import type { HandlerContext } from '../handlers/handler.ts';

/** To one address. A person takes access in an emergency at most 30 times an hour. */
const emergencyEmails = { perSecond: 60 / 3_600, burst: 60 };

/**
 * E-mails that people cause have a limit per address of their own, so that nobody uses up that of sign-in links. So have
 * those about emergency access, and no budget: otherwise some requests before it would keep them from being sent.
 */
export function createMailSenders(
  settings: MailSettings | undefined,
  share: ShareLimiter,
  log: Pick<Log, 'warn'>,
): Pick<HandlerContext, 'mail' | 'mailBy' | 'mailEmergency'> {
  const send = createMailSender(settings, log, { share, kind: 'caused by people' });
  return {
    mail: createMailSender(settings, log, { share, kind: 'sign-in' }),
    mailBy: send && createMailBudget(send, share),
    mailEmergency: createMailSender(settings, log, { share, kind: 'emergency', perAddress: emergencyEmails }),
  };
}
