/** Addresses in the viewer. */
import type { ReportContext } from './report.ts';

export const traceLink = ({ viewerUrl }: ReportContext, traceId: string, spanId = ''): string =>
  `${viewerUrl}/#/traces/${encodeURIComponent(traceId.toWellFormed())}${spanId === '' ? '' : `?span=${encodeURIComponent(spanId.toWellFormed())}`}`;

export const listLink = ({ viewerUrl }: ReportContext, filter = ''): string =>
  `${viewerUrl}/#/traces${filter === '' ? '' : `?filter=${encodeURIComponent(filter)}`}`;

export const sessionLink = ({ viewerUrl }: ReportContext, sessionId: string): string =>
  `${viewerUrl}/#/sessions/${encodeURIComponent(sessionId.toWellFormed())}`;

export const compareLink = ({ viewerUrl }: ReportContext, a: string, b: string): string =>
  `${viewerUrl}/#/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`;
