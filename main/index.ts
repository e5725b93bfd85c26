/**
 * Life cycle of the desktop app: one instance for each data folder, the gateway in this process, and its windows. The logic without Electron
 * is in main/desktop and tested there.
 */
import { app, crashReporter, dialog } from 'electron';
import { projectOf } from '../server/entry/command-line.ts';
import { startFailure } from '../server/entry/start-failure.ts';
import { prepareFolders } from './desktop/app-folders.ts';
import { keepLog } from './desktop/app-log.ts';
import { commandLine } from './desktop/command-line.ts';
import { scheme } from './desktop/deep-link.ts';
import { drain } from './desktop/drain.ts';
import { openDesktop, type Running } from './desktop/open-desktop.ts';
import { type OpenTarget, parseLink, parseOpenTargets, readLaunchWords } from './desktop/open-targets.ts';
import { electronHost } from './electron-host.ts';

/** Not 1, which Chromium uses: main/start.ts must tell a failed gateway from a failed window. */
const exitCodeFailed = 2;

/** As in electron-builder.yml. */
const appId = 'dev.glasshouse.app';

const quitting = new AbortController();

/** @param launch launch options; absent when they are invalid */
function fail(error: unknown, launch?: { port: number; dataDir: string }): void {
  const why = launch ? startFailure(error, launch.port, launch.dataDir) : error instanceof Error ? error.message : String(error);
  dialog.showErrorBox('Glasshouse could not start', why);
  app.exit(exitCodeFailed);
}

async function finish({ windows, own }: Running): Promise<void> {
  if (!own) return;
  own.controller.stop();
  const show = (text: string) => {
    windows.showMessage(text);
    own.shell.setTrayTooltip(text);
  };
  if (!(await drain(own.gateway, show))) console.error('The gateway did not stop in time.');
}

/** Quit waits until acknowledged data is durable and requests in flight are answered. */
function drainBeforeQuit(opening: Promise<Running | null>): void {
  let isDrained = false;
  app.on('before-quit', (event) => {
    if (isDrained) return;
    event.preventDefault();
    if (quitting.signal.aborted) return;
    quitting.abort();
    void opening
      .then((running) => running && finish(running))
      .catch((error: unknown) => console.error('The gateway did not stop cleanly:', error))
      .finally(() => {
        isDrained = true;
        app.quit();
      });
  });
}

/** Handles requests of other launches and of the system, also before there is a window. */
function listen(opening: Promise<Running | null>): void {
  const open = (targets: OpenTarget[]) =>
    void opening
      .then((running) => quitting.signal.aborted || running?.open(targets))
      .catch(() => {
        // Reported by `fail`.
      });
  app.on('second-instance', (_, __, folder, sent) => open(parseOpenTargets(readLaunchWords(sent), folder)));
  app.on('activate', () => open([]));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(parseLink(url));
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    open([{ file }]);
  });
  let settings: Running['settings'] | undefined;
  void opening.then(
    (running) => {
      settings = running?.settings;
    },
    () => {},
  );
  app.on('window-all-closed', () => process.platform === 'darwin' || settings?.values.keep_receiving || app.quit());
}

function run(): void {
  // Only their owner may read the traces, also on a machine with other users.
  process.umask(0o077);
  const words = process.argv.slice(1);
  const { port, data, project, hidden, otlpPorts } = commandLine(words);
  if (project !== undefined) projectOf(project);
  const dataDir = prepareFolders(data, app);
  if (!app.requestSingleInstanceLock({ words })) {
    app.quit();
    return;
  }
  const log = keepLog(dataDir, app, crashReporter);
  app.enableSandbox();
  // Windows shows notifications of a program under the id of its installer only.
  app.setAppUserModelId(appId);
  if (app.isPackaged) app.setAsDefaultProtocolClient(scheme);
  const opening = openDesktop({ port, project, hidden, dataDir, otlpPorts }, electronHost(quitting.signal, log));
  listen(opening);
  drainBeforeQuit(opening);
  opening
    .then((running) => {
      const targets = parseOpenTargets(words, process.cwd());
      if (running === null) app.quit();
      else if (!quitting.signal.aborted && (!hidden || targets.length > 0)) running.open(targets);
    })
    .catch((error: unknown) => fail(error, { port, dataDir }));
}

try {
  run();
} catch (error) {
  fail(error);
}
