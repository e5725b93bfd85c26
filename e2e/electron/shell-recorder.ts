/** Writes down what the user would see outside of the page, and answers for them. Runs in the main process, of Electron or of the stand-in. */
export interface Seen {
  /** Questions, with the labels of their buttons. */
  asked: { message: string; detail: string; buttons: string[] }[];
  /** What the system's browser was given. */
  opened: string[];
  /** Notifications. */
  notices: { title: string; body: string }[];
  /** The tray's menu, as drawn last. */
  tray: { label: string; type: string; checked: boolean }[];
  tooltip: string;
  /** The button that is pressed in the next questions: its place, or the last one. */
  press: number | null;
}

/** Sees its argument and nothing else: it is sent to that process as text. */
// biome-ignore lint/suspicious/noExplicitAny: Electron's module, or the stand-in's.
export function recordShell({ dialog, shell, Notification, Tray }: any): void {
  const seen: Seen = { asked: [], opened: [], notices: [], tray: [], tooltip: '', press: null };
  Object.assign(globalThis, { seen });
  dialog.showMessageBox = async (...given: { message: string; detail: string; buttons: string[] }[]) => {
    const { message, detail, buttons } = given.at(-1) as (typeof given)[0];
    seen.asked.push({ message, detail, buttons });
    return { response: seen.press ?? buttons.length - 1, checkboxChecked: false };
  };
  shell.openExternal = async (url: string) => void seen.opened.push(url);
  Notification.prototype.show = function show(this: { title: string; body: string; emit(event: string): void }) {
    seen.notices.push({ title: this.title, body: this.body });
    Object.assign(globalThis, { lastNotice: this });
  };
  const { setContextMenu, setToolTip } = Tray.prototype;
  Tray.prototype.setContextMenu = function set(menu: { items: Seen['tray'] }) {
    seen.tray = menu.items.map(({ label, type, checked }) => ({ label, type, checked }));
    Object.assign(globalThis, { trayMenu: menu });
    setContextMenu.call(this, menu);
  };
  Tray.prototype.setToolTip = function set(text: string) {
    seen.tooltip = text;
    setToolTip.call(this, text);
  };
}
