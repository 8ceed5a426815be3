/** The script of link pages: enables the button when it is safe to press, and lets the press open the session. */
import { markAsChosen } from '../ui/chosen-link.ts';
import { guardClicks, isFramed } from '../ui/frame-guard.ts';

const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')];
if (isFramed()) guardClicks(document.querySelector('main')!, buttons);
else for (const button of buttons) button.disabled = false;

/** A page that says whose session it is: its button is the consent, and the console does not ask again. */
const form = document.querySelector<HTMLFormElement>('form[data-consent]');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  for (const button of buttons) button.disabled = true;
  void connect(form);
});

/** Sends the form by script, to learn which link it leads to. The browser sends it itself where that fails, and shows why. */
async function connect(confirmed: HTMLFormElement): Promise<void> {
  const response = await fetch(confirmed.action, { method: 'POST' }).catch(() => undefined);
  if (!response?.redirected) return confirmed.submit();
  markAsChosen(response.url);
  location.replace(response.url);
}
