/** Changes one value of a TOML file; everything else keeps its bytes. */
import { parse, TomlError } from 'smol-toml';
import { lineEndOf, lineStart, type SettingPath, SettingsError, type SettingsFormat, valueAt } from './settings-format.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';

export const tomlSettings: SettingsFormat = {
  read,
  render: inline,
  sourceOf: (text, path) => {
    const value = valueAt(read(text), path);
    if (value === undefined) return null;
    const pair = tomlStatements(text).find((statement) => statement.kind === 'pair' && isSame(statement.path, path));
    return pair ? text.slice(pair.valueStart, pair.valueEnd) : inline(value);
  },
  edit: (text, path, source) => {
    if (source !== null) requirePlace(text, path);
    const statements = tomlStatements(text);
    const pair = statements.find((statement) => statement.kind === 'pair' && isSame(statement.path, path));
    if (pair && source !== null) return text.slice(0, pair.valueStart) + source + text.slice(pair.valueEnd);
    // A table may be written in several places: [otel.exporter.x], or exporter.x.y = … in [otel].
    const cleared = statements.filter((statement) => isWithin(statement.path, path)).reduceRight(withoutStatement, text);
    return source === null ? cleared : inserted(cleared, path, source);
  },
};

function read(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lineAt =
      text
        .split('\n')
        .slice(0, error.line - 1)
        .join('\n').length + (error.line > 1 ? 1 : 0);
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new SettingsError(text, lineAt, message);
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && isWithin(a, b);
const isWithin = (path: readonly string[], outer: readonly string[]): boolean => outer.every((key, at) => path[at] === key);

/** The table of a setting must be one that a line can be added to. */
function requirePlace(text: string, path: SettingPath): void {
  const parent = path.slice(0, -1);
  const blocker = tomlStatements(text).find(
    (statement) => statement.kind !== 'table' && statement.path.length <= parent.length && isWithin(parent, statement.path),
  );
  if (blocker === undefined) return;
  const name = blocker.path.join('.');
  throw new SettingsError(text, blocker.valueStart, `${name} is not written as a table; write it as [${name}] first`);
}

/** A comment on its line stays. */
function withoutStatement(text: string, { kind, start, valueStart, valueEnd, end }: TomlStatement): string {
  const rest = text.slice(valueEnd, end);
  if (rest.trim() === '') return text.slice(0, start) + text.slice(end);
  const first = kind === 'pair' ? start : valueStart;
  return text.slice(0, first) + rest.trimStart() + text.slice(end);
}

function inserted(text: string, path: SettingPath, source: string): string {
  const [eol, parent, statements] = [lineEndOf(text), path.slice(0, -1), tomlStatements(text)];
  const inTable = statements.findLast((statement) => statement.kind !== 'array-table' && isSame(statement.table, parent));
  const besideDotted = statements.findLast(({ kind, path: other }) => kind === 'pair' && isWithin(other, parent));
  const before = inTable ?? besideDotted;
  if (before === undefined) {
    const gap = text.trim() === '' ? '' : `${text.endsWith('\n') ? '' : eol}${eol}`;
    return `${text}${gap}[${parent.map(bareKey).join('.')}]${eol}${bareKey(path.at(-1) ?? '')} = ${source}${eol}`;
  }
  const indent = before.kind === 'pair' ? (/^[ \t]*/.exec(text.slice(lineStart(text, before.start)))?.[0] ?? '') : '';
  const line = `${indent}${path.slice(before.table.length).map(bareKey).join('.')} = ${source}${eol}`;
  const head = text.slice(0, before.end);
  return `${head}${head.endsWith('\n') ? '' : eol}${line}${text.slice(before.end)}`;
}

const bareKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** A value on one line. */
function inline(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, inner]) => `${bareKey(key)} = ${inline(inner)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
