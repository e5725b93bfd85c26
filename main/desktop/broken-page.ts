/** What is offered when a page has crashed or hangs. The gateway is another thread's work and goes on meanwhile. */
import type { Ask } from './ask.ts';

/** Chromium's words for an end that nobody needs to hear of: we closed it, or the system is shutting down. */
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

/** Waiting is the last button, and so what Escape means. */
export async function offerPatience(page: Page, ask: Ask): Promise<void> {
  const detail = 'It may be drawing something very large. Spans are still received.';
  const answer = await ask({ type: 'warning', message: 'This window does not answer', detail, buttons: ['Reload', 'Wait'] });
  if (answer === 0) page.reload();
}
