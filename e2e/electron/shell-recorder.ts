/** Records what the user would see outside of the page, and answers questions. Runs in the main process of Electron or of the stand-in. */
export interface ShellRecord {
  /** Questions, with the labels of their buttons. */
  questions: { message: string; detail: string; buttons: string[] }[];
  /** URLs that were opened in the system's browser. */
  opened: string[];
  /** Notifications. */
  notifications: { title: string; body: string }[];
  /** The current menu of the tray. */
  tray: { label: string; type: string; checked: boolean }[];
  tooltip: string;
  /** The index of the button that is pressed in the next questions; null for the last button. */
  press: number | null;
}

/** Uses only its argument, because it is sent to that process as text. */
// biome-ignore lint/suspicious/noExplicitAny: Electron's module, or the stand-in's.
export function recordShell({ dialog, shell, Notification, Tray }: any): void {
  const shellRecord: ShellRecord = { questions: [], opened: [], notifications: [], tray: [], tooltip: '', press: null };
  Object.assign(globalThis, { shellRecord });
  dialog.showMessageBox = async (...given: { message: string; detail: string; buttons: string[] }[]) => {
    const { message, detail, buttons } = given.at(-1) as (typeof given)[0];
    shellRecord.questions.push({ message, detail, buttons });
    return { response: shellRecord.press ?? buttons.length - 1, checkboxChecked: false };
  };
  shell.openExternal = async (url: string) => void shellRecord.opened.push(url);
  Notification.prototype.show = function show(this: { title: string; body: string; emit(event: string): void }) {
    shellRecord.notifications.push({ title: this.title, body: this.body });
    Object.assign(globalThis, { lastNotice: this });
  };
  const { setContextMenu, setToolTip } = Tray.prototype;
  Tray.prototype.setContextMenu = function set(menu: { items: ShellRecord['tray'] }) {
    shellRecord.tray = menu.items.map(({ label, type, checked }) => ({ label, type, checked }));
    Object.assign(globalThis, { trayMenu: menu });
    setContextMenu.call(this, menu);
  };
  Tray.prototype.setToolTip = function set(text: string) {
    shellRecord.tooltip = text;
    setToolTip.call(this, text);
  };
}
