/**
 * The window. It shows what a stranger's program wrote, so it is an ordinary sandboxed browser that may talk to one origin:
 * no Node, no permission, no other page, no other host, also when a script should get past the gateway's own policy.
 */
import { BrowserWindow, nativeTheme, type Session, type WebContents } from 'electron';

export interface WindowOptions {
  /** The page; its origin is all the window can reach. */
  page: string;
  /** Absent for a gateway that is not ours: its page gets no bridge. */
  preload?: string;
  isPackaged: boolean;
  /** Is handed every address that the page wanted to go to. */
  follow(url: string): void;
}

/** `--color-bg` of renderer/ui/tokens.css, so that the first frame is not a flash. */
export const ground = { light: '#ffffff', dark: '#0e1013' };

export function mayLoad(url: string, { page, isPackaged }: Pick<WindowOptions, 'page' | 'isPackaged'>): boolean {
  const [asked, own] = [URL.parse(url), new URL(page)];
  switch (asked?.protocol) {
    case 'http:':
    case 'ws:': // Vite's, in development.
      return asked.host === own.host;
    case 'blob:':
      return asked.origin === own.origin;
    case 'data:':
      return true; // Never leaves the process.
    case 'devtools:':
      return !isPackaged;
    default:
      return false;
  }
}

/** Writing the clipboard is what a copy button does; Electron counts it among the permissions. Reading it stays denied. */
const isGranted = (permission: string) => permission === 'clipboard-sanitized-write';

function confine(session: Session, options: WindowOptions): void {
  session.setPermissionRequestHandler((_, permission, answer) => answer(isGranted(permission)));
  session.setPermissionCheckHandler((_, permission) => isGranted(permission));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url, options) }));
}

const withoutHash = (url: string) => url.replace(/#.*$/s, '');

function keepPage(contents: WebContents, { follow }: WindowOptions): void {
  contents.on('will-navigate', (event) => {
    // A reload by the page itself arrives here too.
    if (withoutHash(event.url) === withoutHash(contents.getURL())) return;
    event.preventDefault();
    follow(event.url);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    follow(url);
    return { action: 'deny' };
  });
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Glasshouse',
    backgroundColor: nativeTheme.shouldUseDarkColors ? ground.dark : ground.light,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: !options.isPackaged,
      // Electron would fetch dictionaries from a server of Google's.
      spellcheck: false,
      ...(options.preload === undefined ? {} : { preload: options.preload }),
    },
  });
  confine(window.webContents.session, options);
  keepPage(window.webContents, options);
  window.once('ready-to-show', () => window.show());
  window.loadURL(options.page).catch((error: unknown) => {
    console.error('The viewer did not load:', error);
    window.show();
  });
  return window;
}

export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
