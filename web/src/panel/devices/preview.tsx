/** A small image of a device's screen, refreshed while it is visible. */
import { effect, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api.ts';
import { currentUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import type { Device } from './device.ts';
import { may } from './rights.ts';

/** The server captures a new image only if the last one is older than five seconds. */
const refreshMs = 10_000;
/** Tiles that become visible within this time share one request. */
const batchDelayMs = 60;

const refreshCount = signal(0);
setInterval(() => document.visibilityState === 'visible' && (refreshCount.value += 1), refreshMs);

/** The URLs loaded so far; they stay the same for one user. */
const urlsById = signal<ReadonlyMap<number, string>>(new Map());
/** The URLs belong to the signed-in user. */
effect(() => {
  if (!currentUser.value) urlsById.value = new Map();
});
const wantedIds = new Set<number>();
let batchTimer: ReturnType<typeof setTimeout> | undefined;

function requestUrl(id: number): void {
  if (urlsById.value.has(id)) return;
  wantedIds.add(id);
  batchTimer ??= setTimeout(() => void loadUrls(), batchDelayMs);
}

async function loadUrls(): Promise<void> {
  const ids = [...wantedIds].slice(0, 200);
  batchTimer = undefined;
  ids.forEach((id) => wantedIds.delete(id));
  const { data } = await get('devices', { ids: ids.join(',') }, { background: true }).catch(() => ({
    data: [],
  }));
  const loaded = data.flatMap(({ id, preview_url }) => (preview_url ? [[id, preview_url] as const] : []));
  urlsById.value = new Map([...urlsById.value, ...loaded]);
}

function useVisibility() {
  const elementRef = useRef<HTMLSpanElement>(null);
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setVisible(entry!.isIntersecting));
    observer.observe(elementRef.current!);
    return () => observer.disconnect();
  }, []);
  return { elementRef, isVisible };
}

/** `address` is the URL, if the caller knows it. */
export function Preview({ device, address }: { device: Device; address?: string }) {
  const { elementRef, isVisible } = useVisibility();
  const isWanted = isVisible && device.online && may(device, 'agent_preview');
  useEffect(() => {
    if (isWanted && address === undefined) requestUrl(device.id);
  }, [isWanted, address, device.id]);
  const url = address ?? urlsById.value.get(device.id) ?? '';
  return (
    <span ref={elementRef} class="preview">
      {isWanted && url !== '' ? (
        <img src={`${url}?turn=${refreshCount.value}`} alt={t.devices.preview(device.name)} />
      ) : (
        <Icon name={device.online ? 'view' : 'moon'} />
      )}
    </span>
  );
}
