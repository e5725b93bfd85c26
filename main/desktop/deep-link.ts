/**
 * Links of other programs and web pages: open a trace. The grammar is fixed, and a link contains no option, path or address; anything else is
 * ignored. Opening changes nothing, so there is no confirmation.
 */
export const scheme = 'glasshouse';

const link = /^glasshouse:\/\/trace\/([A-Za-z0-9][A-Za-z0-9._-]{0,127})\/?$/i;

/** The trace id of a link; null for any other text. */
export const traceIdOfLink = (text: string): string | null => link.exec(text)?.[1] ?? null;

/** The hash of its screen. A lone surrogate, which a URL cannot hold, becomes U+FFFD. */
export const traceRoute = (traceId: string): string => `#/traces/${encodeURIComponent(traceId.toWellFormed())}`;
