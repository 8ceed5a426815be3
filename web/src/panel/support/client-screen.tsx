/** The small picture of a client's screen, for as long as there is a client and one may see it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { whomOf, type Invitation } from './invitation.ts';

/** The client's page sends a new picture as often. */
const newMs = 10_000;

/** Counts up while somebody looks: the address of the picture stays the same, what it shows does not. */
const turn = signal(0);
let watched = 0;
let beat: ReturnType<typeof setInterval> | undefined;

function useTurn(): number {
  useEffect(() => {
    watched += 1;
    beat ??= setInterval(() => !document.hidden && (turn.value += 1), newMs);
    return () => {
      watched -= 1;
      if (watched > 0) return;
      clearInterval(beat);
      beat = undefined;
    };
  }, []);
  return turn.value;
}

function Picture({ address, label }: { address: string; label: string }) {
  const at = useTurn();
  return <img class="client-screen" src={`${address}?${at}`} alt={label} />;
}

export function ClientScreen({ invitation }: { invitation: Invitation }) {
  const { client_preview_url: address } = invitation;
  if (address === '') return null;
  return <Picture address={address} label={t.support.screenOf(whomOf(invitation))} />;
}
