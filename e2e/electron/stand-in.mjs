/**
 * The electron module for tests that run where its binary is not: enough of the API for main/, with Electron's order of
 * events, and every fact a test asks for kept in plain fields. What only a real Chromium does (paint, sandbox, CSP) is not here.
 */
import { EventEmitter } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const preventable = (fields = {}) => ({
  ...fields,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
});

class App extends EventEmitter {
  isPackaged = false;
  sandboxed = false;
  #paths = new Map([['appData', join(homedir(), '.config')]]);
  #lock;
  #ready = new Promise((resolve) => setImmediate(resolve));
  #quitting = false;

  getVersion = () => '0.0.0-stand-in';
  setName = () => {};
  setPath = (name, path) => void this.#paths.set(name, path);
  getPath = (name) => this.#paths.get(name) ?? join(homedir(), '.config', 'stand-in');
  whenReady = () => this.#ready;
  enableSandbox = () => {
    this.sandboxed = true;
  };

  /** Between real processes: the second one wakes the first with a signal. */
  requestSingleInstanceLock() {
    const file = join(this.getPath('userData'), 'stand-in.lock');
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
    } catch {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGUSR2');
      return false;
    }
    this.#lock = file;
    process.on('SIGUSR2', () => this.emit('second-instance', {}, [], process.cwd()));
    return true;
  }

  quit() {
    if (this.#quitting) return;
    const before = preventable();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
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
  getURL = () => this.url;
  setWindowOpenHandler = (handler) => {
    this.windowOpen = handler;
  };
}

export class BrowserWindow extends EventEmitter {
  static #all = new Set();
  static getAllWindows = () => [...BrowserWindow.#all];

  webContents = new WebContents();
  visible;
  minimized = false;
  focused = 0;
  destroyed = false;

  constructor(options) {
    super();
    this.options = options;
    this.visible = options.show !== false;
    BrowserWindow.#all.add(this);
  }

  /** Asks the gateway for the page as Chromium would, so that a window that shows has seen an answer. */
  async loadURL(url) {
    this.webContents.url = url;
    const answer = await fetch(url);
    this.status = answer.status;
    this.policy = answer.headers.get('content-security-policy');
    await answer.arrayBuffer();
    this.emit('ready-to-show');
  }

  #alive() {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    return this;
  }
  show() {
    this.#alive().visible = true;
  }
  hide() {
    this.#alive().visible = false;
  }
  focus() {
    this.#alive().focused += 1;
  }
  restore() {
    this.#alive().minimized = false;
  }
  isMinimized = () => this.#alive().minimized;
  isDestroyed = () => this.destroyed;

  destroy() {
    this.destroyed = true;
    BrowserWindow.#all.delete(this);
    this.emit('closed');
  }

  /** The user's click on the cross. */
  close() {
    this.destroy();
    if (BrowserWindow.getAllWindows().length === 0) app.emit('window-all-closed');
  }
}

export const app = new App();

export const ipcMain = {
  handlers: new Map(),
  handle(channel, handler) {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, handler);
  },
};

/** The user: presses the button of that index in every box, or closes it. */
const answer = process.env.STAND_IN_ANSWER;

export const dialog = {
  asked: [],
  async showMessageBox(...given) {
    const options = given.at(-1);
    this.asked.push({ ...options, hasParent: given.length === 2 });
    return { response: answer === undefined ? options.cancelId : Number(answer), checkboxChecked: false };
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

export const clipboard = {
  text: '',
  writeText(text) {
    this.text = text;
  },
};

export const nativeTheme = { shouldUseDarkColors: true };
