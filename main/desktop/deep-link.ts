/**
 * What another program or a web page may ask of this one: to show a trace. The grammar is fixed, and a link holds no option, no
 * path and no address; what does not fit it is nothing. Showing changes nothing, so nobody is asked first.
 */
export const scheme = 'glasshouse';

const link = /^glasshouse:\/\/trace\/([A-Za-z0-9][A-Za-z0-9._-]{0,127})\/?$/i;

/** The id of the trace; null for every other text. */
export const linkedTrace = (text: string): string | null => link.exec(text)?.[1] ?? null;

/** The address of its screen, behind the page's own. Half a character, which no address can hold, becomes U+FFFD. */
export const traceRoute = (traceId: string): string => `#/traces/${encodeURIComponent(traceId.toWellFormed())}`;
