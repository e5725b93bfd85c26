/**
 * A window shows text from untrusted programs, so it is a sandboxed browser with a single origin: no Node, no permission, no other page or
 * host, also if a script bypasses the gateway's content security policy.
 */
import { BrowserWindow, nativeTheme, type Session, type WebContents } from 'electron';
import { type Confinement, mayLoad } from './desktop/may-load.ts';
import { ownRoute } from './desktop/open-targets.ts';
import type { Place } from './desktop/window-place.ts';

export interface WindowOptions extends Confinement {
  /** Absent for a gateway that is not ours: its page gets no bridge. */
  preload?: string;
  place: Place;
  /** Receives every address that the page tries to navigate to. */
  follow(url: string): void;
  /** Receives the route of each screen that our own page opens in a new window. */
  openOwn(route: string): void;
}

/** `--color-bg` of renderer/ui/tokens.css, so that the first frame is not a flash. */
export const windowBackground = { light: '#ffffff', dark: '#0e1013' };

/** Copy buttons write the clipboard, which Electron treats as a permission. Reading is denied. */
const isGranted = (permission: string) => permission === 'clipboard-sanitized-write';

function confine(session: Session, options: WindowOptions): void {
  session.setPermissionRequestHandler((_, permission, answer) => answer(isGranted(permission)));
  session.setPermissionCheckHandler((_, permission) => isGranted(permission));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url, options) }));
}

const withoutHash = (url: string) => url.replace(/#.*$/s, '');

function confineNavigation(contents: WebContents, { page, follow, openOwn }: WindowOptions): void {
  contents.on('will-navigate', (event) => {
    // A reload by the page itself arrives here too.
    if (withoutHash(event.url) === withoutHash(contents.getURL())) return;
    event.preventDefault();
    follow(event.url);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const route = ownRoute(url, page);
    if (route === null) follow(url);
    else openOwn(route);
    // Our own windows are created by this process, with the limits above; a page never creates one.
    return { action: 'deny' };
  });
}

/** Hidden, and nothing loaded yet: the gateway may still be opening its store. */
export function createWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...options.place.bounds,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Glasshouse',
    backgroundColor: nativeTheme.shouldUseDarkColors ? windowBackground.dark : windowBackground.light,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: !options.isPackaged,
      // Electron would fetch dictionaries from a Google server.
      spellcheck: false,
      ...(options.preload === undefined ? {} : { preload: options.preload }),
    },
  });
  confine(window.webContents.session, options);
  confineNavigation(window.webContents, options);
  return window;
}

export function load(window: BrowserWindow, url: string): void {
  window.loadURL(url).catch((error: NodeJS.ErrnoException) => {
    // Another navigation replaced this one.
    if (error.code === 'ERR_ABORTED' || window.isDestroyed()) return;
    console.error('The viewer did not load:', error);
    window.show();
  });
}

export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
