/** Registers the service worker of notifications. Its scope contains no page, so it controls none. */
import { trustedScriptUrl } from '../../ui/trusted-script-url.ts';

const scope = '/app/notifications/';
let script: string | undefined;

/** Resolves when the worker runs: before that, browsers show nothing for it. */
async function waitUntilActive({ installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (!worker) return;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

/** Undefined if the browser has no service workers or refuses this one, as with an untrusted certificate. */
export async function openRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    script ??= trustedScriptUrl('/app/notifications.js');
    const registration = await navigator.serviceWorker.register(script, { scope });
    await waitUntilActive(registration);
    return registration;
  } catch {
    return undefined;
  }
}

export async function removeRegistration(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  await registration?.unregister();
}

/** Calls back with the page to show when a notification was clicked. */
export function onNotificationClick(show: (path: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ show?: unknown }>) => {
    if (typeof data?.show === 'string') show(data.show);
  });
  navigator.serviceWorker?.startMessages();
}
