/** Addresses in the viewer, on a gateway's URL. */

export const traceLink = (url: string, traceId: string, spanId = ''): string =>
  `${url}/#/traces/${encodeURIComponent(traceId.toWellFormed())}${spanId === '' ? '' : `?span=${encodeURIComponent(spanId.toWellFormed())}`}`;

export const listLink = (url: string, filter = ''): string =>
  `${url}/#/traces${filter === '' ? '' : `?filter=${encodeURIComponent(filter)}`}`;

export const sessionLink = (url: string, sessionId: string): string => `${url}/#/sessions/${encodeURIComponent(sessionId.toWellFormed())}`;

export const compareLink = (url: string, a: string, b: string): string =>
  `${url}/#/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`;
