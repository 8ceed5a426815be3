/** A small picture of a screen, taken anew while it is in sight. */
import { effect, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api.ts';
import { currentUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import type { Device } from './device.ts';
import { may } from './rights.ts';

/** The server takes a new picture for whoever asks after five seconds. */
const refreshMs = 10_000;
/** How long tiles that come into sight together wait for each other. */
const batchDelayMs = 60;

const refreshCount = signal(0);
setInterval(() => document.visibilityState === 'visible' && (refreshCount.value += 1), refreshMs);

/** The addresses that were told so far; they stay the same for one person. */
const urlsById = signal<ReadonlyMap<number, string>>(new Map());
/** They belong to the one who is signed in. */
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
  const told = data.flatMap(({ id, preview_url }) => (preview_url ? [[id, preview_url] as const] : []));
  urlsById.value = new Map([...urlsById.value, ...told]);
}

function useVisibility() {
  const elementRef = useRef<HTMLSpanElement>(null);
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => setVisible(entry!.isIntersecting));
    watch.observe(elementRef.current!);
    return () => watch.disconnect();
  }, []);
  return { elementRef, isVisible };
}

/** `address` where it is known already. */
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
