/** Operating system calls of the controller. Electron implements them (main/electron-shell.ts); tests record them. */
import type { Item } from './menu.ts';
import type { Notice } from './notices.ts';
import type { Settings } from './settings.ts';
import type { TrayState } from './tray.ts';

export interface Shell {
  drawMenu(items: Item[]): void;
  drawTray(items: Item[], state: TrayState): void;
  /** Beside the sign in the tray, while the app is finishing. */
  sayInTray(text: string): void;
  /** On the dock or the task bar; 0 takes it away. */
  badge(count: number): void;
  notify(notice: Notice, clicked: () => void): void;
  takeTheme(theme: Settings['theme']): void;
  openAtLogin(isWanted: boolean): void;
  zoom(level: number): void;
  /** Shows a screen in the first window, which is opened or brought forward. Without one: whatever it shows. */
  show(route?: string): void;
  /** A further window on the same gateway. */
  openWindow(route: string): void;
  reload(): void;
  copy(text: string): void;
  revealData(): void;
  /** Null when the user declines. */
  chooseFile(): Promise<string | null>;
  chooseFolder(): Promise<string | null>;
  /** Whether a window of ours has the focus. */
  isLooking(): boolean;
  quit(): void;
}
