/** The window of the viewer that the user shares with coding agents: what it shows, and pointing at a place in it. */
import { GatewayError } from '../../shared/client.ts';
import type { WindowPointer } from '../../shared/contract/viewer/viewer-windows.ts';
import { plain, quoted } from './recorded-text.ts';
import { type ReportContext, ReportRefusal } from './report.ts';

const howToShare = 'The user can share one in the viewer: Set up → Coding agents → Share this window.';

/** Characters of the user's selection that are quoted. */
const selectionMax = 2_000;

/** The trace that is open in the window that was used last, and lines on what is selected there. */
export async function placeInWindow({ client }: ReportContext): Promise<{ traceId: string; before: string[] }> {
  const { data } = await ifServed(client.viewerWindows.list(), { data: [] });
  const [latest] = data;
  if (!latest) throw new ReportRefusal(`Give a trace_id: no window of the viewer is shared. ${howToShare}`);
  if (latest.trace_id === null)
    throw new ReportRefusal(`Give a trace_id: the user is looking at ${quoted(latest.page, 300)}, where no trace is open`);
  const before = [
    `The user is looking at this trace${latest.span_id === null ? '' : `, at span ${plain(latest.span_id)}`}.`,
    ...(latest.selection === '' ? [] : [`The user has selected ${quoted(latest.selection, selectionMax)}`]),
    '',
  ];
  return { traceId: latest.trace_id, before };
}

/** @returns a line on whether the user sees it */
export async function pointAt({ client }: ReportContext, pointer: WindowPointer): Promise<string> {
  const { data } = await ifServed(client.viewerWindows.point({ body: pointer }), { data: { window_id: null } });
  return data.window_id === null
    ? `Not shown to the user: no window of the viewer is shared. ${howToShare}`
    : 'Shown to the user, in the window that was used last.';
}

/** Windows are shared with agents on the same machine only; a gateway for teams does not serve them. */
async function ifServed<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GatewayError && error.status === 501) return otherwise;
    throw error;
  }
}
