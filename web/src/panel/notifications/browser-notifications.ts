/** Notifications that the browser shows outside the page, once the user has turned them on in this browser. */
import { signal } from '@preact/signals';
import { navigate } from '../router.ts';
import { readStored, writeStored } from '../stored-values.ts';
import { onNotificationClick, openRegistration, removeRegistration } from './notification-registration.ts';

const key = 'drawbridge.browser-notifications';

type BrowserState = 'missing' | 'denied' | 'on' | 'off';

function readState(): BrowserState {
  if (!('Notification' in globalThis)) return 'missing';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && readStored(key) === 'on' ? 'on' : 'off';
}

export const browserState = signal<BrowserState>(readState());

/** Called by a click, because browsers ignore a request that no user action caused. */
export async function turnOnBrowserNotifications(): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission === 'granted') writeStored(key, 'on');
  browserState.value = readState();
  if (browserState.value === 'on') await openRegistration();
}

export async function turnOffBrowserNotifications(): Promise<void> {
  writeStored(key, '');
  browserState.value = readState();
  await removeRegistration();
}

onNotificationClick(navigate);

export interface BrowserNotification {
  /** Unique among what the panel shows. */
  id: string;
  title: string;
  /** The page of the panel that a click shows. */
  path: string;
}

/** Shown only while the user looks at something else. All tabs use the same tag, so the browser shows it once. */
export async function showBrowserNotification({ id, title, path }: BrowserNotification): Promise<void> {
  if (readState() !== 'on' || document.hasFocus()) return;
  const options = { tag: `drawbridge-${id}`, icon: '/static/icon-192.png', data: path };
  const registration = await openRegistration();
  if (registration) return registration.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    navigate(path);
  });
}
