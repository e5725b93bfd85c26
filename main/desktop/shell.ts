/** Operating system calls of the controller. Electron implements them (main/electron-shell.ts); tests record them. */
import type { Item } from './menu.ts';
import type { Notice } from './notices.ts';
import type { Settings } from './settings.ts';
import type { TrayState } from './tray.ts';

export interface Shell {
  drawMenu(items: Item[]): void;
  drawTray(items: Item[], state: TrayState): void;
  /** Tooltip of the tray icon while the app is shutting down. */
  setTrayTooltip(text: string): void;
  /** Badge on the dock or the task bar; 0 removes it. */
  badge(count: number): void;
  notify(notice: Notice, onClick: () => void): void;
  applyTheme(theme: Settings['theme']): void;
  setOpenAtLogin(isEnabled: boolean): void;
  zoom(level: number): void;
  /** Opens the first window or brings it to the front. Without a route its screen does not change. */
  show(route?: string): void;
  /** Opens another window on the same gateway. */
  openWindow(route: string): void;
  reload(): void;
  copy(text: string): void;
  revealData(): void;
  /** Null when the user cancels. */
  chooseFile(): Promise<string | null>;
  chooseFolder(): Promise<string | null>;
  /** Whether a window of ours has the focus. */
  isFocused(): boolean;
  quit(): void;
}
