/**
 * What the window may ask of the desktop, channel by channel. The main process validates both ways with these schemas; the
 * preload and the viewer use the types only. No channel takes a path, a command or SQL: add a verb instead.
 */
import { z } from 'zod';

interface DeclaredChannel {
  /** The arguments of the call, all of them. */
  asks: z.ZodType<unknown[]>;
  answers: z.ZodType;
}

/** As the viewer's own setting: what the frame of the window and the first frame of the page follow. */
export const theme = z.enum(['system', 'light', 'dark']);

const opened = z.object({ opened: z.boolean() });

export const desktopChannels = {
  'app-info': {
    asks: z.tuple([]),
    answers: z.object({ version: z.string(), platform: z.string(), gateway_url: z.url() }),
  },
  'reveal-data-folder': { asks: z.tuple([]), answers: opened },
  'set-theme': { asks: z.tuple([theme]), answers: z.object({ theme }) },
  /** Asks the user first; `opened` is false when they decline or the address is not one we open. */
  'open-external': { asks: z.tuple([z.strictObject({ url: z.string().max(8192) })]), answers: opened },
} as const satisfies Record<string, DeclaredChannel>;

export type DesktopChannel = keyof typeof desktopChannels;
export type DesktopAsks<C extends DesktopChannel> = z.output<(typeof desktopChannels)[C]['asks']>;
export type DesktopAnswer<C extends DesktopChannel> = z.output<(typeof desktopChannels)[C]['answers']>;

type Call<C extends DesktopChannel> = (...asked: DesktopAsks<C>) => Promise<DesktopAnswer<C>>;

/** `window.glasshouse`: there in the desktop app, absent in a plain browser. */
export interface Desktop {
  appInfo: Call<'app-info'>;
  revealDataFolder: Call<'reveal-data-folder'>;
  setTheme: Call<'set-theme'>;
  openExternal: Call<'open-external'>;
}
