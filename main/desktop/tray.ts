/** Tray as data: number of traces since the start, receiving state, and an action that opens the window. */
import type { Item } from './menu.ts';

export interface TrayState {
  traces: number;
  spans: number;
  /** Number of unseen failed traces. */
  unseen: number;
  isPaused: boolean;
  setUpLine: string;
  /** What was spent of budgets. */
  budgets: readonly string[];
}

export interface TrayCommands {
  show(): void;
  showSpending(): void;
  pause(isPaused: boolean): void;
  copySetUpLine(): void;
  quit(): void;
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export const trayTooltip = ({ traces, spans, isPaused }: TrayState): string =>
  `Glasshouse: ${isPaused ? 'paused, ' : ''}${counted(traces, 'trace')}, ${counted(spans, 'span')} since start`;

export const trayTemplate = (state: TrayState, commands: TrayCommands): Item[] => [
  { id: 'show', label: 'Open Glasshouse', click: commands.show },
  { type: 'separator' },
  { id: 'count', label: `${counted(state.traces, 'trace')}, ${counted(state.spans, 'span')} since start`, enabled: false },
  ...(state.unseen > 0 ? [{ id: 'unseen', label: counted(state.unseen, 'unseen failed trace'), click: commands.show }] : []),
  ...state.budgets.map((label, at) => ({ id: `budget-${at}`, label, click: commands.showSpending })),
  { id: 'pause', label: 'Pause receiving', type: 'checkbox', checked: state.isPaused, click: () => commands.pause(!state.isPaused) },
  { id: 'set-up-line', label: `Copy ${state.setUpLine}`, click: commands.copySetUpLine },
  { type: 'separator' },
  { id: 'quit', label: 'Quit', click: commands.quit },
];
