/**
 * The service worker that shows notifications where browsers do not let pages do it, as on Android. It sees no
 * requests and stores nothing: it only brings the panel to the front when a notification is clicked.
 */

/** What this worker uses of the service worker API, which the types of pages do not contain. */
interface WorkerScope {
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<PanelWindow[]>;
    openWindow(path: string): Promise<unknown>;
  };
}

interface PanelWindow {
  url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface NotificationClick extends Event {
  notification: Notification & { data: string };
  waitUntil(work: Promise<unknown>): void;
}

const { clients } = globalThis as unknown as WorkerScope;

async function showPanel(path: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const panel = windows.find(({ url }) => new URL(url).pathname.startsWith('/panel'));
  if (!panel) return void (await clients.openWindow(path));
  panel.postMessage({ show: path });
  await panel.focus();
}

addEventListener('notificationclick', (event) => {
  const { notification, waitUntil } = event as NotificationClick;
  notification.close();
  waitUntil.call(event, showPanel(notification.data));
});
