/** Menu as data. Its actions are passed in; Electron draws it (main/electron-shell.ts). */
import { type DesktopKey, desktopKeys } from '../../shared/desktop-keys.ts';
import type { Settings } from './settings.ts';

/** The part of Electron's MenuItemConstructorOptions that we use. */
export interface Item {
  id?: string;
  label?: string;
  role?: (typeof roles)[number];
  type?: 'normal' | 'separator' | 'checkbox';
  checked?: boolean;
  enabled?: boolean;
  accelerator?: string;
  click?: () => void;
  submenu?: Item[];
}

// Listed one by one, so that the compiler finds a typing error, not Electron at start.
const roles = [
  ...(['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit', 'close', 'minimize', 'zoom', 'front', 'window', 'help'] as const),
  ...(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'togglefullscreen', 'toggleDevTools'] as const),
] as const;

export interface Commands {
  run(key: DesktopKey): void;
  copySetUpLine(): void;
  revealData(): void;
  pause(isPaused: boolean): void;
  set(changes: Partial<Settings>): void;
}

export interface MenuState {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  settings: Readonly<Settings>;
  isPaused: boolean;
  setUpLine: string;
  /** The OTLP ports that another program uses. */
  portsTaken: readonly number[];
  /** Items of other parts of the app for the first menu. */
  extra: Item[];
  /** Items of the Help menu. */
  help: Item[];
}

const editMenu: Item = {
  id: 'edit',
  label: 'Edit',
  submenu: (['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const).map((role) => ({ role })),
};

const separator: Item = { type: 'separator' };

/** `Mod+o` of the viewer's key sheet is `CommandOrControl+O` of Electron. */
export const acceleratorOf = (keys: string): string =>
  keys
    .split(/\+(?=.)/)
    .map((part) => (part === 'Mod' ? 'CommandOrControl' : part === '+' ? 'Plus' : part.length === 1 ? part.toUpperCase() : part))
    .join('+');

const items = (group: DesktopKey['group'], { run }: Commands): Item[] =>
  desktopKeys
    .filter((key) => key.group === group)
    .map((key) => ({ id: key.id, label: key.label, accelerator: acceleratorOf(key.on), click: () => run(key) }));

const choices = {
  notify_errors: 'Notify me of failed traces',
  notify_long_runs: 'Notify me when a long run ends',
  notify_runaways: 'Notify me when a run may be running away',
  notify_budgets: 'Notify me when a budget is exceeded',
  keep_receiving: 'Keep receiving without a window',
  open_at_login: 'Open at login',
} as const;

function settingsMenu({ settings }: MenuState, { set }: Commands): Item {
  const submenu = Object.entries(choices).map(([name, label]): Item => {
    const checked = settings[name as keyof typeof choices];
    return { id: name, label, type: 'checkbox', checked, click: () => set({ [name]: !checked }) };
  });
  return { id: 'settings', label: 'Settings', submenu };
}

function gatewayMenu({ settings, isPaused, setUpLine, portsTaken }: MenuState, { pause, set, copySetUpLine }: Commands): Item {
  return {
    id: 'gateway',
    label: 'Gateway',
    submenu: [
      { id: 'pause', label: 'Pause receiving', type: 'checkbox', checked: isPaused, click: () => pause(!isPaused) },
      {
        id: 'otlp-ports',
        label: `Listen on the OTLP ports 4317 and 4318 too${portsTaken.length > 0 ? ` (taken: ${portsTaken.join(', ')})` : ''}`,
        type: 'checkbox',
        checked: settings.otlp_ports,
        click: () => set({ otlp_ports: !settings.otlp_ports }),
      },
      separator,
      { id: 'set-up-line', label: `Copy ${setUpLine}`, click: copySetUpLine },
    ],
  };
}

function appMenu(state: MenuState, commands: Commands): Item {
  const about: Item[] = [{ role: 'about' }, ...state.extra, separator, settingsMenu(state, commands), separator];
  const visibility: Item[] = [{ role: 'services' }, separator, { role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, separator];
  return { id: 'app', label: 'Glasshouse', submenu: [...about, ...visibility, { role: 'quit' }] };
}

const helpMenu = (help: Item[]): Item => ({ id: 'help', label: 'Help', role: 'help', submenu: help });

/** For the gateway of another data folder, whose settings this app cannot change. */
export const otherGatewayMenu = (isPackaged: boolean, help: Item[]): Item[] => [
  { label: 'File', submenu: [{ role: 'close' }, { role: 'quit' }] },
  editMenu,
  { label: 'View', submenu: [{ role: 'togglefullscreen' }, ...(isPackaged ? [] : [{ role: 'toggleDevTools' } satisfies Item])] },
  helpMenu(help),
];

export function menuTemplate(state: MenuState, commands: Commands): Item[] {
  const isMac = state.platform === 'darwin';
  const data: Item[] = [separator, { id: 'reveal-data', label: 'Reveal data', click: commands.revealData }];
  const rest: Item[] = isMac ? [] : [separator, settingsMenu(state, commands), ...state.extra];
  const closing: Item[] = [separator, { role: 'close' }, ...(isMac ? [] : [{ role: 'quit' } satisfies Item])];
  const tools: Item[] = state.isPackaged ? [] : [separator, { role: 'toggleDevTools' }];
  return [
    ...(isMac ? [appMenu(state, commands)] : []),
    { id: 'file', label: 'File', submenu: [...items('File', commands), ...data, ...rest, ...closing] },
    editMenu,
    { id: 'view', label: 'View', submenu: [...items('View', commands), separator, { role: 'togglefullscreen' }, ...tools] },
    { id: 'go', label: 'Go', submenu: items('Go', commands) },
    gatewayMenu(state, commands),
    {
      id: 'windows',
      label: 'Window',
      role: 'window',
      submenu: [{ role: 'minimize' }, { role: 'zoom' }, ...(isMac ? [{ role: 'front' } satisfies Item] : [])],
    },
    helpMenu(state.help),
  ];
}
