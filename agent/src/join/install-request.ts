/** The part that hears the wish for permanent access: the person is asked, and told where to go; nothing is installed here. */
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import { misshapen } from '../session/misshapen.ts';
import type { Leg, PartOf } from '../session/part.ts';
import { plainText } from '../session/plain-text.ts';

const askSeconds = 60;
const clientName = 'Client';

export const installRequest =
  (server: string, say: (line: string) => void): PartOf =>
  (leg) => {
    const page = new URL('/download', server).href;
    let isAsking = false;

    const answer = async (message: string): Promise<void> => {
      if (!(await isWanted(leg, message)))
        return leg.refuse('install', 'The person declined permanent access.');
      say(`To set up permanent access, ask ${leg.operator.name} for the install command and see ${page}.`);
      const text = `The person agreed. Send them the install command with an enrolment token; see ${page}`;
      if (leg.permissions.has('agent_chat'))
        leg.send('chat', encodeMessage('chat', { name: clientName, text }));
      else leg.refuse('install', text);
    };
    return {
      hear: {
        async install(payload) {
          const { message } = decodeMessage('install', payload) ?? misshapen('install');
          if (isAsking) return;
          isAsking = true;
          await answer(plainText(message)).finally(() => (isAsking = false));
        },
      },
      stop: () => {},
    };
  };

const isWanted = (leg: Leg, message: string): Promise<boolean> =>
  leg.ask(`${leg.operator.name} asks for permanent access to this computer: "${message}"`, askSeconds);
