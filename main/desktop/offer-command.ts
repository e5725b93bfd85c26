/** Dialogs of the `glasshouse` command: install it, or remove it. */
import { dirname } from 'node:path';
import type { Ask } from './ask.ts';
import { type CommandPlaces, findCommand, installCommand, isOnPath, removeCommand, systemFolder } from './command-in-path.ts';
import type { Item } from './menu.ts';

export interface CommandItemOptions {
  ask: Ask;
  copy(text: string): void;
  /** The PATH of this app. */
  path: string | undefined;
  /** Absent when the app runs from its sources, which hold the command. */
  places: CommandPlaces | undefined;
}

type ShowMessage = (message: string, detail: string, line?: string) => Promise<void>;

/** Shows a message; a line to run is shown with it and can be copied. */
const messageDialog =
  ({ ask, copy }: CommandItemOptions): ShowMessage =>
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

const quoteForShell = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

const powerShell = (folder: string): string => {
  const text = `'${folder.replaceAll("'", "''")}'`;
  return `[Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';' + ${text}, 'User')`;
};

async function showInstalled(path: string, { platform }: CommandPlaces, options: CommandItemOptions, show: ShowMessage): Promise<void> {
  const folder = dirname(path);
  const message = "The 'glasshouse' command is installed";
  if (folder === systemFolder || isOnPath(folder, options.path))
    return show(message, `It is ${path}. In a new terminal, \`glasshouse --help\` lists its commands.`);
  const isWindows = platform === 'win32';
  const where = isWindows ? 'Run this in PowerShell once' : 'Add this line to the profile of your shell';
  const line = isWindows ? powerShell(folder) : `export PATH=${quoteForShell(folder)}:"$PATH"`;
  await show(message, `It is ${path}. If a new terminal does not find it, its folder is not on the PATH. ${where}:`, line);
}

async function install(places: CommandPlaces, options: CommandItemOptions, show: ShowMessage): Promise<void> {
  const detail = 'It runs programs with tracing, opens, follows, exports and imports traces from a shell. It needs Node 22.18 or newer.';
  const message = "Install the 'glasshouse' command?";
  if ((await options.ask({ type: 'question', message, detail, buttons: ['Install', 'Cancel'] })) !== 0) return;
  const result = installCommand(places);
  if (result.kind === 'denied') {
    const line = `sudo install -m 755 ${quoteForShell(result.prepared)} ${systemFolder}/glasshouse`;
    await show('No folder for the command is writable', `You cannot write to ${places.folders.join(' or ')}. Run this instead:`, line);
  } else if (result.kind === 'foreign') await showForeign(result.path, show);
  else await showInstalled(result.path, places, options, show);
}

const showForeign: (path: string, show: ShowMessage) => Promise<void> = (path, show) =>
  show("There is another 'glasshouse'", `${path} was not written by this app and is left as it is. Remove it and try again.`);

async function offerRemoval(path: string, places: CommandPlaces, { ask }: CommandItemOptions, show: ShowMessage): Promise<void> {
  const message = "The 'glasshouse' command is installed";
  const answer = await ask({ type: 'question', message, detail: `It is ${path}.`, buttons: ['Remove', 'Close'] });
  if (answer !== 0) return;
  const remaining = removeCommand(places);
  if (remaining === null) await show("The 'glasshouse' command is removed", `${path} was deleted. Traces are not affected.`);
  else
    await show(
      'It cannot be removed from here',
      `You cannot write to the folder of ${remaining}. Run this instead:`,
      `sudo rm ${quoteForShell(remaining)}`,
    );
}

async function offerCommand(options: CommandItemOptions): Promise<void> {
  const { places } = options;
  const show = messageDialog(options);
  if (!places)
    return show('This app runs from its sources', 'They contain the command. Run this in their folder to put it on the PATH:', 'npm link');
  try {
    const found = findCommand(places);
    if (found.kind === 'absent') await install(places, options, show);
    else if (found.kind === 'foreign') await showForeign(found.path, show);
    else await offerRemoval(found.path, places, options, show);
  } catch (error) {
    await show("The 'glasshouse' command could not be changed", error instanceof Error ? error.message : String(error));
  }
}

export const commandItem = (options: CommandItemOptions): Item => ({
  id: 'command-in-path',
  label: "Command 'glasshouse' in PATH…",
  click: () => void offerCommand(options),
});
