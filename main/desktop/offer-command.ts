/** Dialogs of the `glasshouse` command: install it, or remove it. */
import { dirname } from 'node:path';
import type { Ask } from './ask.ts';
import { type CommandPlaces, findCommand, installCommand, isOnPath, removeCommand, systemFolder } from './command-in-path.ts';
import type { Item } from './menu.ts';

export interface CommandNeeds {
  ask: Ask;
  copy(text: string): void;
  /** The PATH of this app. */
  path: string | undefined;
  /** Absent when the app runs from its sources, which hold the command. */
  places: CommandPlaces | undefined;
}

type Say = (message: string, detail: string, line?: string) => Promise<void>;

/** A line to run is shown, and can be copied. */
const saying =
  ({ ask, copy }: CommandNeeds): Say =>
  async (message, detail, line) => {
    const shown = line === undefined ? detail : `${detail}\n\n${line}`;
    const answer = await ask({
      type: 'info',
      message,
      detail: shown,
      buttons: [...(line === undefined ? [] : ['Copy the line']), 'Close'],
    });
    if (line !== undefined && answer === 0) copy(line);
  };

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

const powerShell = (folder: string): string => {
  const text = `'${folder.replaceAll("'", "''")}'`;
  return `[Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';' + ${text}, 'User')`;
};

async function sayInstalled(path: string, { platform }: CommandPlaces, needs: CommandNeeds, say: Say): Promise<void> {
  const folder = dirname(path);
  const message = "The 'glasshouse' command is installed";
  if (folder === systemFolder || isOnPath(folder, needs.path))
    return say(message, `It is ${path}. In a new terminal, \`glasshouse --help\` lists what it does.`);
  const isWindows = platform === 'win32';
  const where = isWindows ? 'Run this in PowerShell once' : 'Put this line into the profile of your shell';
  const line = isWindows ? powerShell(folder) : `export PATH=${quoted(folder)}:"$PATH"`;
  await say(message, `It is ${path}. Where a new terminal does not find it, its folder is not on the PATH. ${where}:`, line);
}

async function install(places: CommandPlaces, needs: CommandNeeds, say: Say): Promise<void> {
  const detail = 'It runs programs with tracing, opens, follows, exports and imports traces from a shell. It needs Node 22.18 or newer.';
  const message = "Install the 'glasshouse' command?";
  if ((await needs.ask({ type: 'question', message, detail, buttons: ['Install', 'Cancel'] })) !== 0) return;
  const done = installCommand(places);
  if (done.kind === 'denied') {
    const line = `sudo install -m 755 ${quoted(done.prepared)} ${systemFolder}/glasshouse`;
    await say('No folder for it can be written', `None of ${places.folders.join(', ')} is open to you. Run this instead:`, line);
  } else if (done.kind === 'foreign') await sayForeign(done.path, say);
  else await sayInstalled(done.path, places, needs, say);
}

const sayForeign: (path: string, say: Say) => Promise<void> = (path, say) =>
  say("There is another 'glasshouse'", `${path} was not written by this app and is left as it is. Remove it, and ask again.`);

async function offerRemoval(path: string, places: CommandPlaces, { ask }: CommandNeeds, say: Say): Promise<void> {
  const message = "The 'glasshouse' command is installed";
  const answer = await ask({ type: 'question', message, detail: `It is ${path}.`, buttons: ['Remove', 'Close'] });
  if (answer !== 0) return;
  const left = removeCommand(places);
  if (left === null) await say("The 'glasshouse' command is removed", `${path} is gone. Traces stay as they are.`);
  else await say('It cannot be removed from here', `The folder of ${left} is closed to you. Run this instead:`, `sudo rm ${quoted(left)}`);
}

async function offerCommand(needs: CommandNeeds): Promise<void> {
  const { places } = needs;
  const say = saying(needs);
  if (!places)
    return say('This app runs from its sources', 'They hold the command. In their folder, this puts it on the PATH:', 'npm link');
  try {
    const found = findCommand(places);
    if (found.kind === 'absent') await install(places, needs, say);
    else if (found.kind === 'foreign') await sayForeign(found.path, say);
    else await offerRemoval(found.path, places, needs, say);
  } catch (error) {
    await say("The 'glasshouse' command could not be changed", error instanceof Error ? error.message : String(error));
  }
}

export const commandItem = (needs: CommandNeeds): Item => ({
  id: 'command-in-path',
  label: "Command 'glasshouse' in PATH…",
  click: () => void offerCommand(needs),
});
