/** The call with an operator: it rings, the person decides, and the microphone is open only while both talk. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { openVoiceAudio, type VoiceAudio } from '../ui/voice-audio.ts';
import type { Guest } from './guests.ts';
import { texts } from './texts.ts';

export interface Call {
  readonly guest: Guest | undefined;
  readonly isMuted: boolean;
  attend(guest: Guest): void;
  mute(isMuted: boolean): void;
  hangUp(): void;
  /** The operator is gone. */
  leave(guest: Guest): void;
}

export interface CallOptions {
  /** Asks the person whether to talk; the signal takes the question back. */
  ask(guest: Guest, signal: AbortSignal): Promise<boolean>;
  changed(): void;
}

export function createCall({ ask, changed }: CallOptions): Call {
  let talking: { guest: Guest; audio: VoiceAudio; isMuted: boolean } | undefined;
  let ringing: { guest: Guest; end: AbortController } | undefined;

  const say = ({ session }: Guest, word: SessionMessage<'call'>): boolean => session.send('call', word);
  const close = (guest: Guest): void => {
    if (ringing?.guest === guest) ringing.end.abort();
    if (talking?.guest !== guest) return;
    talking.audio.close();
    talking = undefined;
    changed();
  };
  const ring = async (guest: Guest): Promise<void> => {
    if (talking || ringing) return void say(guest, { do: 'decline', message: texts.call.busy });
    const end = new AbortController();
    ringing = { guest, end };
    const isTaken = await ask(guest, end.signal);
    const audio = isTaken && !end.signal.aborted ? await answer(guest) : undefined;
    ringing = undefined;
    if (end.signal.aborted) return audio?.close();
    if (!audio)
      return void say(guest, {
        do: 'decline',
        message: isTaken ? texts.call.noMicrophone : texts.call.declined,
      });
    talking = { guest, audio, isMuted: false };
    say(guest, { do: 'accept' });
    changed();
  };

  return {
    get guest() {
      return talking?.guest;
    },
    get isMuted() {
      return talking?.isMuted ?? false;
    },
    attend(guest) {
      guest.session.on('call', (word) => {
        if (word.do === 'ring') void ring(guest);
        if (word.do === 'hang_up' || word.do === 'decline') close(guest);
      });
      guest.session.on('voice', ({ data }) => {
        if (talking?.guest === guest) talking.audio.play(data);
      });
    },
    mute(isMuted) {
      if (!talking) return;
      talking.isMuted = isMuted;
      talking.audio.mute(isMuted);
      changed();
    },
    hangUp() {
      if (!talking) return;
      say(talking.guest, { do: 'hang_up' });
      close(talking.guest);
    },
    leave: close,
  };
}

async function answer({ session }: Guest): Promise<VoiceAudio | undefined> {
  let at = 0;
  return openVoiceAudio((data) => {
    session.send('voice', { id: 0, at, data });
    at += data.length;
  }).catch(() => undefined);
}
