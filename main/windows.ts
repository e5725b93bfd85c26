/** Open windows of a gateway: positions, content, and actions after a crash. */
import { app, BrowserWindow, type Rectangle, screen } from 'electron';
import type { Ask } from './desktop/ask.ts';
import { offerReload, offerWait } from './desktop/broken-page.ts';
import type { WindowSet, WindowSetOptions } from './desktop/open-desktop.ts';
import { cascaded, placeOf, rememberPlace } from './desktop/window-place.ts';
import { bringForward, createWindow, load } from './window.ts';

export interface WindowsOptions extends Omit<WindowSetOptions, 'isOwn'> {
  preload?: string;
  ask: Ask;
  follow(url: string): void;
}

type Kind = 'main' | 'trace';

/** More than anybody needs; stops a page that opens window after window. */
const windowsMax = 20;
const saveDelayMs = 500;

const displays = () => {
  const primary = screen.getPrimaryDisplay();
  return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)];
};

export class Windows implements WindowSet {
  readonly #options: WindowsOptions;
  #first: BrowserWindow | undefined;
  #isLoaded = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  prepare(): void {
    if (this.#first) return;
    const window = this.#create('main');
    this.#first = window;
    this.#isLoaded = false;
    window.once('closed', () => {
      this.#first = undefined;
    });
  }

  show(route = ''): void {
    this.prepare();
    const window = this.#first as BrowserWindow;
    if (!this.#isLoaded || route !== '') load(window, `${this.#options.page}${route}`);
    if (this.#isLoaded) bringForward(window);
    this.#isLoaded = true;
  }

  open(route: string): void {
    if (BrowserWindow.getAllWindows().length >= windowsMax) return;
    load(this.#create('trace'), `${this.#options.page}${route}`);
  }

  zoom(level: number): void {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.setZoomLevel(level);
  }

  /** From now on the page's own title is ignored. */
  showMessage(text: string): void {
    for (const window of BrowserWindow.getAllWindows()) {
      window.removeAllListeners('page-title-updated');
      window.on('page-title-updated', (event) => event.preventDefault());
      window.setTitle(text);
      window.setProgressBar(2);
    }
  }

  #create(kind: Kind): BrowserWindow {
    const { places, page, preload, follow, zoom, onZoom, onFocus, ask } = this.#options;
    const place = placeOf(places, kind, displays());
    const occupied = BrowserWindow.getAllWindows().map((window): Rectangle => window.getNormalBounds());
    const bounds = cascaded(place.bounds, occupied);
    const isPackaged = app.isPackaged;
    const window = createWindow({
      page,
      isPackaged,
      place: { ...place, bounds },
      follow,
      openOwn: (route) => this.open(route),
      ...(preload === undefined ? {} : { preload }),
    });
    const { webContents: contents } = window;
    window.once('ready-to-show', () => {
      if (place.isMaximized) window.maximize();
      else window.show();
      if (place.isFullScreen) window.setFullScreen(true);
    });
    window.on('focus', onFocus);
    contents.on('dom-ready', () => contents.setZoomLevel(zoom()));
    contents.on('zoom-changed', (_, direction) => onZoom(direction === 'in' ? 'zoom-in' : 'zoom-out'));
    const broken = { reload: () => contents.reload(), close: () => window.destroy() };
    contents.on('render-process-gone', (_, { reason }) => void offerReload(reason, broken, ask));
    window.on('unresponsive', () => void offerWait(broken, ask));
    this.#remember(window, kind);
    return window;
  }

  #remember(window: BrowserWindow, kind: Kind): void {
    const { places } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const save = () => {
      clearTimeout(timer);
      const place = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized(), isFullScreen: window.isFullScreen() };
      try {
        rememberPlace(places, kind, displays(), place);
      } catch (error) {
        console.error('The window position could not be saved:', error);
      }
    };
    const saveLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => window.isDestroyed() || save(), saveDelayMs);
    };
    window.on('resize', saveLater);
    window.on('move', saveLater);
    window.on('enter-full-screen', saveLater);
    window.on('leave-full-screen', saveLater);
    window.on('close', save);
    window.once('closed', () => clearTimeout(timer));
  }
}
