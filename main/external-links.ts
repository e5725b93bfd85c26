/** The one call of shell.openExternal. Every address, from whatever sink, comes through here and through its question. */
import { shell } from 'electron';
import { opener } from './desktop/external-url.ts';

export const openExternal = opener((href) => shell.openExternal(href));
