/** The only call of shell.openExternal. Every address passes its check and its question. */
import { shell } from 'electron';
import { opener } from './desktop/external-url.ts';

export const openExternal = opener((href) => shell.openExternal(href));
