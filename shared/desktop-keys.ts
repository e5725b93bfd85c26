/** Keyboard shortcuts of the desktop menu: the menu uses them as accelerators, and the viewer's list of shortcuts shows them beside its own. */
interface DeclaredKey {
  id: string;
  group: 'File' | 'View' | 'Go';
  label: string;
  /** In the spelling of the viewer: `Mod` is Ctrl or Cmd. */
  on: string;
  /** The page it opens, if any. */
  route?: string;
}

export const desktopKeys = [
  { id: 'open-file', group: 'File', label: 'Open a trace file…', on: 'Mod+o' },
  { id: 'open-project', group: 'File', label: 'Open a project…', on: 'Mod+Shift+o' },
  { id: 'new-window', group: 'File', label: 'New window', on: 'Mod+n' },
  { id: 'reload', group: 'View', label: 'Reload', on: 'Mod+r' },
  { id: 'zoom-in', group: 'View', label: 'Larger', on: 'Mod++' },
  { id: 'zoom-out', group: 'View', label: 'Smaller', on: 'Mod+-' },
  { id: 'zoom-reset', group: 'View', label: 'Actual size', on: 'Mod+0' },
  { id: 'go-traces', group: 'Go', label: 'Traces', on: 'Mod+1', route: '#/traces' },
  { id: 'go-sessions', group: 'Go', label: 'Sessions', on: 'Mod+2', route: '#/sessions' },
  { id: 'go-ingest-log', group: 'Go', label: 'Ingest log', on: 'Mod+3', route: '#/ingest-log' },
  { id: 'go-setup', group: 'Go', label: 'Set up', on: 'Mod+4', route: '#/setup' },
] as const satisfies readonly DeclaredKey[];

export type DesktopKey = (typeof desktopKeys)[number];
