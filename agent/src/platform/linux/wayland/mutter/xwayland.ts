/** Connects to XWayland of the person's desktop, on which the agent shows its windows. */
import { NotPossible } from '../../../platform.ts';
import { connectToDisplay, type X11Connection } from '../../x11/connection.ts';
import { isXwayland } from '../../x11/layout.ts';

/** Throws NotPossible if there is none: a screen is not shown without the person's knowledge. */
export async function connectToXwayland(): Promise<X11Connection> {
  const connection = await connectToDisplay(process.getuid!()).catch((error: Error) => {
    throw cannotTell(error.message);
  });
  if (await isXwayland(connection)) return connection;
  connection.close();
  throw cannotTell(`The display ${connection.display} does not belong to it.`);
}

const cannotTell = (why: string): NotPossible =>
  new NotPossible(
    `The person at the device cannot be told who is connected, because their desktop has no XWayland. ${why}`,
  );
