/**
 * Positions of the sources in stack traces of the bundle. Node's own source maps cost 13 MB and a fifth of the processor time of a start, because
 * every thread reads them when it loads a module; here a map is read when a stack is formatted, and not kept.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');
const { fileURLToPath } = require('node:url');

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digitOf = new Uint8Array(128);
for (let value = 0; value < digits.length; value++) digitOf[digits.charCodeAt(value)] = value;

/** @returns `file:line:column` of the source, null when the map does not say. Lines and columns begin at 1 */
function sourcePosition(file, { mappings, sources }, line, column) {
  // Each segment holds differences to the previous one: column in the bundle (from 0 in each line), source, line and column there.
  let [at, source, sourceLine, sourceColumn] = [0, 0, 0, 0];
  let lineNow = 1;
  let found = null;
  let [fields, value, shift] = [[], 0, 0];
  for (let index = 0; index <= mappings.length && lineNow <= line; index++) {
    const code = index < mappings.length ? mappings.charCodeAt(index) : 59;
    if (code === 44 || code === 59) {
      at += fields[0] ?? 0;
      source += fields[1] ?? 0;
      sourceLine += fields[2] ?? 0;
      sourceColumn += fields[3] ?? 0;
      if (lineNow === line && fields.length >= 4 && at < column) found = [source, sourceLine + 1, sourceColumn + 1];
      fields = [];
      if (code === 59) [lineNow, at] = [lineNow + 1, 0];
      continue;
    }
    const digit = digitOf[code];
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    fields.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return found && `${resolve(dirname(file), sources[found[0]])}:${found[1]}:${found[2]}`;
}

/** Formatting a stack must not fail, whatever was thrown. */
function headingOf(error) {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

/** @param folder of the bundle, whose frames are shown at their sources */
function showSources(folder) {
  const shown = (frame, maps) => {
    const name = frame.getFileName() ?? '';
    const file = name.startsWith('file:') ? fileURLToPath(name) : name;
    if (dirname(file) !== folder) return String(frame);
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    try {
      if (!maps.has(file)) maps.set(file, JSON.parse(readFileSync(`${file}.map`, 'utf8')));
      return String(frame).replace(`${name}:${line}:${column}`, sourcePosition(file, maps.get(file), line, column) ?? '$&');
    } catch {
      // The folder was removed: the position in the bundle is better than no stack.
      return String(frame);
    }
  };
  Error.prepareStackTrace = (error, frames) => {
    const maps = new Map();
    return [headingOf(error), ...frames.map((frame) => `    at ${shown(frame, maps)}`)].join('\n');
  };
}

module.exports = { showSources };
