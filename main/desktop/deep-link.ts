/**
 * Links of other programs and web pages: open a trace. The grammar is fixed, and a link contains no option, path or address; anything else is
 * ignored. Opening changes nothing, so there is no confirmation.
 */
export const scheme = 'glasshouse';

const link = /^glasshouse:\/\/trace\/([A-Za-z0-9][A-Za-z0-9._-]{0,127})\/?$/i;

/** The id of the trace; null for every other text. */
export const linkedTrace = (text: string): string | null => link.exec(text)?.[1] ?? null;

/** The address of its screen, behind the page's own. Half a character, which no address can hold, becomes U+FFFD. */
export const traceRoute = (traceId: string): string => `#/traces/${encodeURIComponent(traceId.toWellFormed())}`;
