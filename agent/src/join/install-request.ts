/** Handles a request for permanent access: asks the person and tells them where to find the installer. It installs nothing itself. */
import type { FeatureContext, FeatureFactory } from '../session/feature.ts';
import { plainText } from '../session/plain-text.ts';

const askSeconds = 60;
const clientName = 'Client';

export const createInstallRequestFeature =
  (server: string, say: (line: string) => void): FeatureFactory =>
  (context) => {
    const page = new URL('/download', server).href;
    let isAsking = false;

    const answer = async (message: string): Promise<void> => {
      if (!(await isWanted(context, message)))
        return context.refuse('install', 'The person declined permanent access.');
      say(
        `To set up permanent access, ask ${context.operator.name} for the install command and see ${page}.`,
      );
      const text = `The person agreed. Send them the install command with an enrolment token; see ${page}`;
      if (context.permissions.has('agent_chat')) context.send('chat', { name: clientName, text });
      else context.refuse('install', text);
    };
    return {
      handlers: {
        async install(payload) {
          const { message } = payload;
          if (isAsking) return;
          isAsking = true;
          await answer(plainText(message)).finally(() => (isAsking = false));
        },
      },
      stop: () => {},
    };
  };

const isWanted = (context: FeatureContext, message: string): Promise<boolean> =>
  context.ask(
    `${context.operator.name} asks for permanent access to this computer: "${message}"`,
    askSeconds,
  );
