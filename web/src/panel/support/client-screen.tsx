/** A small image of the client's screen, shown while a client is connected and the user may see it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { clientLabel, type SupportInvitation } from './invitation.ts';

/** The client's page sends a new image at the same interval. */
const refreshMs = 10_000;

/** Counts up while an image is shown. It makes the URL change, so that the browser loads the new image. */
const refreshCount = signal(0);
let viewers = 0;
let refreshTimer: ReturnType<typeof setInterval> | undefined;

function useRefreshCount(): number {
  useEffect(() => {
    viewers += 1;
    refreshTimer ??= setInterval(() => !document.hidden && (refreshCount.value += 1), refreshMs);
    return () => {
      viewers -= 1;
      if (viewers > 0) return;
      clearInterval(refreshTimer);
      refreshTimer = undefined;
    };
  }, []);
  return refreshCount.value;
}

function Picture({ address, label }: { address: string; label: string }) {
  const at = useRefreshCount();
  return <img class="client-screen" src={`${address}?${at}`} alt={label} />;
}

export function ClientScreen({ invitation }: { invitation: SupportInvitation }) {
  const { client_preview_url: address } = invitation;
  if (address === '') return null;
  return <Picture address={address} label={t.support.screenOf(clientLabel(invitation))} />;
}
