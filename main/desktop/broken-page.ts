/** Actions after a page has crashed or hangs. The gateway is in another thread and continues. */
import type { Ask } from './ask.ts';

/** Chromium's reasons that need no report: closed by us, or a system shutdown. */
const quiet = new Set(['clean-exit', 'killed']);

interface Page {
  reload(): void;
  close(): void;
}

export async function offerReload(reason: string, page: Page, ask: Ask): Promise<void> {
  if (quiet.has(reason)) return;
  const detail = `The page ended (${reason}). Spans are still received, and nothing of them is lost.`;
  const answer = await ask({ type: 'warning', message: 'This window stopped working', detail, buttons: ['Reload', 'Close the window'] });
  if (answer === 0) page.reload();
  else page.close();
}

/** Waiting is the last button, and so the meaning of Escape. */
export async function offerPatience(page: Page, ask: Ask): Promise<void> {
  const detail = 'It may be drawing something very large. Spans are still received.';
  const answer = await ask({ type: 'warning', message: 'This window does not answer', detail, buttons: ['Reload', 'Wait'] });
  if (answer === 0) page.reload();
}
