/**
 * A fake electron module for tests on machines without its binary: enough of the API for main/, with Electron's order of events, and plain
 * fields that tests read. With STAND_IN_CHROMIUM (the path of a Chromium) a window is a page of a real Chromium with the built preload
 * (pages.mjs); without it, a window only requests its page and nothing is drawn.
 */
import { EventEmitter } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openPage } from './pages.mjs';
import { preventable } from './preventable.mjs';

export { preventable };

class App extends EventEmitter {
  isPackaged = false;
  sandboxed = false;
  #paths = new Map([['appData', join(homedir(), '.config')]]);
  #lock;
  #ready = new Promise((resolve) => setImmediate(resolve));
  #quitting = false;

  badge = 0;
  loginItem = null;
  schemes = [];
  userModelId = null;
  setAppUserModelId = (id) => {
    this.userModelId = id;
  };
  commandLine = { hasSwitch: (name) => process.argv.includes(`--${name}`) };
  getAppPath = () => join(import.meta.dirname, '../..');
  getVersion = () => '0.0.0-stand-in';
  setName = () => {};
  setPath = (name, path) => void this.#paths.set(name, path);
  getPath = (name) => this.#paths.get(name) ?? join(homedir(), '.config', 'stand-in');
  #isReady = false;
  isReady = () => this.#isReady;
  async whenReady() {
    await this.#ready;
    this.#isReady = true;
  }
  setBadgeCount = (count) => {
    this.badge = count;
    return true;
  };
  setLoginItemSettings = (settings) => {
    this.loginItem = settings;
  };
  setAsDefaultProtocolClient = (scheme) => this.schemes.push(scheme) > 0;
  enableSandbox = () => {
    this.sandboxed = true;
  };

  /** Works between real processes: the second one writes its arguments to a file and sends the first a signal. */
  requestSingleInstanceLock(data) {
    const file = join(this.getPath('userData'), 'stand-in.lock');
    const launchFile = join(this.getPath('userData'), 'stand-in.launch');
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
    } catch {
      writeFileSync(launchFile, JSON.stringify({ data, folder: process.cwd() }));
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGUSR2');
      return false;
    }
    this.#lock = file;
    process.on('SIGUSR2', () => {
      const { data: sent, folder } = JSON.parse(readFileSync(launchFile, 'utf8'));
      this.emit('second-instance', {}, [], folder, sent);
    });
    return true;
  }

  quit() {
    if (this.#quitting) return;
    const before = preventable();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    for (const window of BrowserWindow.getAllWindows()) {
      window.emit('close', preventable());
      window.destroy();
    }
    this.emit('will-quit', preventable());
    this.exit(0);
  }

  exit(code = 0) {
    if (this.#lock) rmSync(this.#lock, { force: true });
    process.exit(code);
  }
}

class Session {
  setPermissionRequestHandler = (handler) => {
    this.permissionRequest = handler;
  };
  setPermissionCheckHandler = (handler) => {
    this.permissionCheck = handler;
  };
  setDevicePermissionHandler = (handler) => {
    this.devicePermission = handler;
  };
  webRequest = {
    onBeforeRequest: (listener) => {
      this.beforeRequest = listener;
    },
  };
}

const defaultSession = new Session();

class WebContents extends EventEmitter {
  session = defaultSession;
  url = '';
  zoom = 0;
  getURL = () => this.url;
  setZoomLevel = (level) => {
    this.zoom = level;
    void this.page?.then((page) => page.zoom(level));
  };
  setWindowOpenHandler = (handler) => {
    this.windowOpen = handler;
  };
  reload() {
    this.reloads = (this.reloads ?? 0) + 1;
    void this.page?.then((page) => page.reload());
  }
}

/** Whether windows are pages of a real Chromium. */
const isDrawn = process.env.STAND_IN_CHROMIUM !== undefined;

export class BrowserWindow extends EventEmitter {
  static #all = new Set();
  static #inFront = null;
  static getAllWindows = () => [...BrowserWindow.#all];
  static getFocusedWindow = () => BrowserWindow.#inFront;
  /** The user switched to another program. */
  static blur = () => {
    BrowserWindow.#inFront = null;
  };

  webContents = new WebContents();
  visible;
  minimized = false;
  maximized = false;
  fullScreen = false;
  focused = 0;
  destroyed = false;
  askedMs = performance.now();

  constructor(options) {
    super();
    this.options = options;
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.visible = options.show !== false;
    this.title = options.title;
    BrowserWindow.#all.add(this);
    if (isDrawn) this.webContents.page = openPage(this, { app, ipcMain });
  }

  /** Without Chromium, requests the page from the gateway, so that a window is shown only after a response. */
  async loadURL(url) {
    const isFirst = this.webContents.url === '';
    this.webContents.url = url;
    if (isDrawn) await (await this.webContents.page).load(url);
    else {
      const answer = await fetch(url);
      this.status = answer.status;
      this.policy = answer.headers.get('content-security-policy');
      await answer.arrayBuffer();
    }
    this.webContents.emit('dom-ready');
    if (isFirst && !this.destroyed) this.emit('ready-to-show');
  }

  #assertAlive() {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    return this;
  }
  show() {
    this.#assertAlive().visible = true;
    this.#bringToFront();
  }
  hide() {
    this.#assertAlive().visible = false;
  }
  focus() {
    this.#assertAlive().focused += 1;
    this.#bringToFront();
  }
  #bringToFront() {
    BrowserWindow.#inFront = this;
    void this.webContents.page?.then((page) => page.focus());
    this.emit('focus');
  }
  restore() {
    this.#assertAlive().minimized = false;
  }
  setFullScreen(isFullScreen) {
    this.#assertAlive().fullScreen = isFullScreen;
    this.emit(isFullScreen ? 'enter-full-screen' : 'leave-full-screen');
  }
  isFullScreen = () => this.#assertAlive().fullScreen;
  maximize() {
    this.#assertAlive().maximized = true;
    this.show();
  }
  setTitle(title) {
    this.#assertAlive().title = title;
  }
  setProgressBar(progress) {
    this.#assertAlive().progress = progress;
  }
  flashFrame() {}
  setBounds(bounds) {
    Object.assign(this.#assertAlive().bounds, bounds);
    this.emit('move');
    this.emit('resize');
  }
  getNormalBounds = () => ({ ...this.#assertAlive().bounds });
  isMaximized = () => this.#assertAlive().maximized;
  isMinimized = () => this.#assertAlive().minimized;
  isVisible = () => this.#assertAlive().visible;
  isDestroyed = () => this.destroyed;

  destroy() {
    if (this.destroyed) return;
    this.destroyed = true;
    if (BrowserWindow.#inFront === this) BrowserWindow.#inFront = null;
    BrowserWindow.#all.delete(this);
    void this.webContents.page?.then((page) => page.close());
    this.emit('closed');
  }

  /** The user closes the window. */
  close() {
    this.emit('close', preventable());
    this.destroy();
    if (BrowserWindow.getAllWindows().length === 0) app.emit('window-all-closed');
  }
}

export const app = new App();

export const crashReporter = {
  options: null,
  start(options) {
    this.options = options;
  },
};

export const ipcMain = {
  handlers: new Map(),
  handle(channel, handler) {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, handler);
  },
};

/** The index of the button that is pressed in every message box; undefined closes it. */
const answer = () => process.env.STAND_IN_ANSWER;

export const dialog = {
  asked: [],
  async showMessageBox(...given) {
    const options = given.at(-1);
    this.asked.push({ ...options, hasParent: given.length === 2 });
    return { response: answer() === undefined ? options.cancelId : Number(answer()), checkboxChecked: false };
  },
  /** The path that is chosen in the next file and folder dialogs. */
  chosen: null,
  async showOpenDialog(...given) {
    this.asked.push({ ...given.at(-1), hasParent: given.length === 2 });
    return { canceled: this.chosen === null, filePaths: this.chosen === null ? [] : [this.chosen] };
  },
  showErrorBox(title, content) {
    this.asked.push({ title, content });
    console.error(`${title}: ${content}`);
  },
};

export const shell = {
  opened: [],
  async openExternal(url) {
    this.opened.push(url);
  },
  async openPath(path) {
    this.opened.push(path);
    return '';
  },
};

/** A system without a keyring. */
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => false,
  getSelectedStorageBackend: () => 'basic_text',
};

export const clipboard = {
  text: '',
  writeText(text) {
    this.text = text;
  },
};

export const nativeTheme = {
  themeSource: 'system',
  get shouldUseDarkColors() {
    return this.themeSource !== 'light';
  },
};

const whole = { x: 0, y: 0, width: 1600, height: 1000 };

export const screen = {
  displays: process.env.STAND_IN_DISPLAYS ? JSON.parse(process.env.STAND_IN_DISPLAYS) : [{ id: 1, bounds: whole, workArea: whole }],
  getPrimaryDisplay: () => screen.displays[0],
  getAllDisplays: () => screen.displays,
};

export const Menu = {
  application: null,
  buildFromTemplate: (template) => ({
    items: template.map((item) => ({ ...item, submenu: item.submenu && Menu.buildFromTemplate(item.submenu) })),
  }),
  setApplicationMenu(menu) {
    this.application = menu;
  },
  getApplicationMenu() {
    return this.application;
  },
};

export class Tray extends EventEmitter {
  static last = null;
  constructor(image) {
    super();
    this.image = image;
    Tray.last = this;
  }
  setImage(image) {
    this.image = image;
  }
  setToolTip(text) {
    this.tooltip = text;
  }
  setContextMenu(menu) {
    this.menu = menu;
  }
}

export class Notification extends EventEmitter {
  static shown = [];
  static isSupported = () => true;
  constructor(options) {
    super();
    Object.assign(this, options);
  }
  show() {
    Notification.shown.push(this);
  }
}

export const nativeImage = {
  createFromBuffer: (bytes, options) => ({ bytes, options, setTemplateImage: () => {} }),
};
