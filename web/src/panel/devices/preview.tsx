/** A small picture of a screen, taken anew while it is in sight. */
import { effect, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api.ts';
import { currentUser } from '../me.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import type { Device } from './device.ts';
import { may } from './rights.ts';

/** The server takes a new picture for whoever asks after five seconds. */
const freshMs = 10_000;
/** How long tiles that come into sight together wait for each other. */
const gatherMs = 60;

const turn = signal(0);
setInterval(() => document.visibilityState === 'visible' && (turn.value += 1), freshMs);

/** The addresses that were told so far; they stay the same for one person. */
const addresses = signal<ReadonlyMap<number, string>>(new Map());
/** They belong to the one who is signed in. */
effect(() => {
  if (!currentUser.value) addresses.value = new Map();
});
const wanted = new Set<number>();
let gathering: ReturnType<typeof setTimeout> | undefined;

function want(id: number): void {
  if (addresses.value.has(id)) return;
  wanted.add(id);
  gathering ??= setTimeout(() => void askForWanted(), gatherMs);
}

async function askForWanted(): Promise<void> {
  const ids = [...wanted].slice(0, 200);
  gathering = undefined;
  ids.forEach((id) => wanted.delete(id));
  const { data } = await get('devices', { ids: ids.join(',') }, { background: true }).catch(() => ({
    data: [],
  }));
  const told = data.flatMap(({ id, preview_url }) => (preview_url ? [[id, preview_url] as const] : []));
  addresses.value = new Map([...addresses.value, ...told]);
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
    if (isWanted && address === undefined) want(device.id);
  }, [isWanted, address, device.id]);
  const url = address ?? addresses.value.get(device.id) ?? '';
  return (
    <span ref={elementRef} class="preview">
      {isWanted && url !== '' ? (
        <img src={`${url}?turn=${turn.value}`} alt={t.devices.preview(device.name)} />
      ) : (
        <Icon name={device.online ? 'view' : 'moon'} />
      )}
    </span>
  );
}
