/** A call with the person at the device. It goes on while the panel is closed. */
import type { RemoteSession } from '../../session/session.ts';
import { button } from '../../ui/button.ts';
import { element, fill } from '../../ui/element.ts';
import { openVoiceAudio, type VoiceAudio } from '../../ui/voice-audio.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';

const { voice: texts } = consolePanelTexts;

export function createVoicePanel(): ConsolePanel {
  let phase: 'idle' | 'ringing' | 'talking' = 'idle';
  let message: string = texts.idle;
  let audio: VoiceAudio | undefined;
  let muted = false;
  let changed = (): void => {};

  const setPhase = (next: typeof phase, said: string): void => {
    phase = next;
    message = said;
    if (next !== 'talking') {
      audio?.close();
      audio = undefined;
      muted = false;
    }
    changed();
  };
  const hangUp = (session: RemoteSession): void => {
    session.send('call', { do: 'hang_up' });
    setPhase('idle', texts.ended);
  };

  async function startTalking(session: RemoteSession): Promise<void> {
    let at = 0;
    const opened = await openVoiceAudio((data) => {
      session.send('voice', { id: 0, at, data });
      at += data.length;
    }).catch(() => undefined);
    if (!opened) {
      session.send('call', { do: 'hang_up' });
      return setPhase('idle', texts.noMicrophone);
    }
    if (phase !== 'ringing') return opened.close();
    audio = opened;
    setPhase('talking', texts.talking);
  }

  function subscribe(session: RemoteSession): void {
    session.on('call', (word) => {
      if (word.do === 'accept' && phase === 'ringing') void startTalking(session);
      if (word.do === 'decline') setPhase('idle', texts.declined(word.message ?? ''));
      if (word.do === 'hang_up') setPhase('idle', texts.ended);
    });
    session.on('voice', ({ data }) => audio?.play(data));
    session.onChange(() => {
      if (session.state.phase !== 'live' && phase !== 'idle') setPhase('idle', texts.ended);
    });
  }

  const buttons = (session: RemoteSession): HTMLElement[] => {
    if (phase === 'idle')
      return [
        button(
          texts.ring,
          () => session.send('call', { do: 'ring' }) && setPhase('ringing', texts.ringing),
          'primary',
        ),
      ];
    const mute = button(muted ? texts.unmute : texts.mute, () => {
      muted = !muted;
      audio?.mute(muted);
      changed();
    });
    return [...(phase === 'talking' ? [mute] : []), button(texts.hangUp, () => hangUp(session), 'danger')];
  };

  return {
    id: 'voice',
    title: texts.title,
    icon: 'voice',
    permission: 'agent_audio_calls',
    subscribe,
    open(container, session) {
      changed = () =>
        fill(
          container,
          element('p', { role: 'status' }, message),
          element('div', { class: 'row' }, ...buttons(session)),
        );
      changed();
      return () => (changed = () => {});
    },
  };
}
