/**
 * Starts a gateway with windows: our own, or on request the one on our port. The window opens as soon as the port is ours, while the store is
 * still opening.
 */
import { join, resolve } from 'node:path';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { Ask } from './ask.ts';
import { DesktopController } from './desktop-controller.ts';
import { type Item, otherGatewayMenu } from './menu.ts';
import type { OpenTarget } from './open-targets.ts';
import { type Gateway, offerNewAddress, openGateway, type StartGateway } from './port.ts';
import { type Cipher, SealedSecrets } from './sealed-secrets.ts';
import { openSettings, type Settings, type SettingsFile } from './settings.ts';
import type { Shell } from './shell.ts';
import { openPlaces, type PlacesFile } from './window-place.ts';
import type { ZoomCommand } from './zoom.ts';

export interface WindowSetOptions {
  /** Ends with `/`. */
  page: string;
  /** Whether the page is our own gateway's, and gets the bridge. */
  isOwn: boolean;
  places: PlacesFile;
  zoom(): number;
  /** Ctrl and the mouse wheel. */
  onZoom(command: ZoomCommand): void;
  onFocus(): void;
}

/** The windows of one gateway. */
export interface WindowSet {
  /** Opens an empty first window in advance. */
  prepare(): void;
  show(route?: string): void;
  open(route: string): void;
  zoom(level: number): void;
  /** Message while the app is shutting down. */
  showMessage(text: string): void;
}

export interface DesktopHost {
  start: StartGateway;
  worker: URL;
  /** Resolves when windows can be created. */
  ready: Promise<unknown>;
  quitting: AbortSignal;
  ask: Ask;
  /** Seals secrets. */
  cipher: Cipher;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** The development server, which forwards /v1 to the gateway. */
  development: string | undefined;
  /** Menu items of other parts of the app. */
  extra: Item[];
  /** Items of the Help menu. */
  help: Item[];
  windowsOn(options: WindowSetOptions): WindowSet;
  shellOf(windows: WindowSet): Shell;
  drawMenu(items: Item[]): void;
  applyTheme(theme: Settings['theme']): void;
  copy(text: string): void;
  /** Answers the calls of our own page. */
  serve(page: string, gateway: Gateway, controller: DesktopController): void;
}

export interface Launch {
  port: number;
  project: string | undefined;
  /** Start without a window, as at login. */
  hidden: boolean;
  dataDir: string;
  /** The OTLP ports to listen on while the settings enable them; absent: the standard ones. */
  otlpPorts?: OtlpPorts | undefined;
}

export interface Running {
  settings: SettingsFile;
  windows: WindowSet;
  open(targets: readonly OpenTarget[]): void;
  /** Absent for a gateway of another program. */
  own?: { gateway: Gateway; controller: DesktopController; shell: Shell };
}

class Opener {
  readonly settings: SettingsFile;
  readonly #launch: Launch;
  readonly #host: DesktopHost;
  #controller: DesktopController | undefined;
  #windows: WindowSet | undefined;
  #page = '';

  constructor(launch: Launch, host: DesktopHost) {
    this.#launch = launch;
    this.#host = host;
    this.settings = openSettings(join(launch.dataDir, 'desktop.json'));
    // Before the first window, for its background.
    host.applyTheme(this.settings.values.theme);
  }

  #windowsOn(page: string, isOwn: boolean): WindowSet {
    return this.#host.windowsOn({
      page,
      isOwn,
      places: openPlaces(join(this.#launch.dataDir, 'windows.json')),
      zoom: () => this.settings.values.zoom,
      onZoom: (command) => this.#controller?.zoom(command),
      onFocus: () => this.#controller?.onFocus(),
    });
  }

  readonly listening = (port: number): void => {
    const { development, ready, quitting } = this.#host;
    this.#page = development ?? `http://127.0.0.1:${port}/`;
    const windows = this.#windowsOn(this.#page, true);
    this.#windows = windows;
    if (!this.#launch.hidden) void ready.then(() => quitting.aborted || windows.prepare());
  };

  runOwn(gateway: Gateway): Running {
    const { quitting, shellOf, serve, ask, platform, isPackaged, extra, help } = this.#host;
    const windows = this.#windows as WindowSet;
    const { settings } = this;
    const shell = shellOf(windows);
    const controller = new DesktopController({
      gateway,
      settings,
      shell,
      ask,
      platform,
      isPackaged,
      extra,
      help,
      otlpPorts: this.#launch.otlpPorts,
    });
    this.#controller = controller;
    if (!quitting.aborted) {
      serve(this.#page, gateway, controller);
      void controller.start();
    }
    return { settings, windows, open: (targets) => void controller.open(targets), own: { gateway, controller, shell } };
  }

  showOther(port: number): Running {
    const { quitting, drawMenu, isPackaged, help } = this.#host;
    const windows = this.#windowsOn(`http://127.0.0.1:${port}/`, false);
    if (!quitting.aborted) drawMenu(otherGatewayMenu(isPackaged, help));
    return { settings: this.settings, windows, open: () => windows.show() };
  }
}

/** Null when the user chose to quit. */
export async function openDesktop(launch: Launch, host: DesktopHost): Promise<Running | null> {
  const { port, project, dataDir } = launch;
  const { start, worker, ask, copy, ready, isPackaged, cipher } = host;
  const opener = new Opener(launch, host);
  // An app started from its icon has `/` as its working directory, which is not a project.
  const projectDir = resolve(project ?? opener.settings.values.project ?? (isPackaged ? dataDir : '.'));
  const secrets = new SealedSecrets(join(dataDir, 'sealed-secrets.json'), ready, cipher);
  const opening = await openGateway(start, { port, dataDir, projectDir, threadEntry: worker, secrets, listening: opener.listening }, ask);
  await ready;
  if (opening.kind === 'quit') return null;
  if (opening.kind === 'theirs') return opener.showOther(opening.port);
  if (opening.isMoved) void offerNewAddress(opening.gateway.port, ask, copy);
  return opener.runOwn(opening.gateway);
}
