/**
 * Answers IPC calls of the windows. A call must come from the top frame of our own page, with arguments that match shared/desktop.ts; the
 * answer is cut to its schema, and errors reveal no internals.
 */
import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import { type DesktopChannel, type DesktopInput, type DesktopOutput, desktopChannels } from '../shared/desktop.ts';

export type DesktopHandlers = {
  [C in DesktopChannel]: (...args: DesktopInput<C>) => DesktopOutput<C> | Promise<DesktopOutput<C>>;
};

type AnyHandler = (...args: unknown[]) => unknown;

/** A closed frame has no origin; a sandboxed or foreign one has a different origin. */
const isFrom = (origin: string, { senderFrame }: IpcMainInvokeEvent): boolean =>
  senderFrame?.parent === null && senderFrame.origin === origin;

export function answerWindow(origin: string, handlers: DesktopHandlers): void {
  for (const channel of Object.keys(desktopChannels) as DesktopChannel[]) {
    const { input, output } = desktopChannels[channel];
    ipcMain.handle(channel, async (event, ...sent: unknown[]) => {
      if (!isFrom(origin, event)) throw new Error(`${channel}: refused, this page is not the viewer`);
      const parsed = input.safeParse(sent);
      if (!parsed.success) throw new Error(`${channel}: refused, malformed arguments`);
      try {
        return output.parse(await (handlers[channel] as AnyHandler)(...parsed.data));
      } catch (error) {
        console.error(`${channel} failed:`, error);
        throw new Error(`${channel}: failed`);
      }
    });
  }
}
