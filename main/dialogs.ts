/** Dialogs, attached to the front window. */
import { app, BrowserWindow, dialog, type MessageBoxOptions, type OpenDialogOptions } from 'electron';
import { traceFileExtensions } from '../shared/trace-file.ts';
import type { Ask } from './desktop/ask.ts';

const parent = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];

/** @param quitting ends every question */
export const asking =
  (quitting: AbortSignal): Ask =>
  async ({ buttons, ...question }) => {
    if (!app.isReady()) await app.whenReady();
    const last = buttons.length - 1;
    const box: MessageBoxOptions = { ...question, buttons, defaultId: last, cancelId: last, noLink: true, signal: quitting };
    const window = parent();
    // Without a parent the box stops this process on a Mac, and the gateway with it.
    return (await (window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box))).response;
  };

async function choose(options: OpenDialogOptions): Promise<string | null> {
  const window = parent();
  const { canceled, filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return canceled ? null : (filePaths[0] ?? null);
}

export const chooseFile = () =>
  choose({ title: 'Open a trace file', properties: ['openFile'], filters: [{ name: 'Traces', extensions: traceFileExtensions }] });

export const chooseFolder = () => choose({ title: 'Open a project', properties: ['openDirectory'] });
