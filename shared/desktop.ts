/**
 * The IPC channels that the window may call. The main process validates both ways with these schemas; the
 * preload and the viewer use the types only. No channel takes a path, a command or SQL: add a specific channel instead.
 */
import { z } from 'zod';

interface DeclaredChannel {
  /** The arguments of the call, as a tuple. */
  input: z.ZodType<unknown[]>;
  output: z.ZodType;
}

/** The viewer's theme setting, which the window frame and the first paint of the page follow. */
export const theme = z.enum(['system', 'light', 'dark']);

const opened = z.object({ opened: z.boolean() });

export const desktopChannels = {
  'app-info': {
    input: z.tuple([]),
    output: z.object({ version: z.string(), platform: z.string(), gateway_url: z.url() }),
  },
  'reveal-data-folder': { input: z.tuple([]), output: opened },
  'set-theme': { input: z.tuple([theme]), output: z.object({ theme }) },
  /** Asks the user first; `opened` is false when they decline or the URL is not allowed. */
  'open-external': { input: z.tuple([z.strictObject({ url: z.string().max(8192) })]), output: opened },
} as const satisfies Record<string, DeclaredChannel>;

export type DesktopChannel = keyof typeof desktopChannels;
export type DesktopInput<C extends DesktopChannel> = z.output<(typeof desktopChannels)[C]['input']>;
export type DesktopOutput<C extends DesktopChannel> = z.output<(typeof desktopChannels)[C]['output']>;

type Call<C extends DesktopChannel> = (...input: DesktopInput<C>) => Promise<DesktopOutput<C>>;

/** `window.glasshouse`: there in the desktop app, absent in a plain browser. */
export interface Desktop {
  appInfo: Call<'app-info'>;
  revealDataFolder: Call<'reveal-data-folder'>;
  setTheme: Call<'set-theme'>;
  openExternal: Call<'open-external'>;
}
