import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { normaliserText } from './normaliser-words.ts';

const ingest = join(import.meta.dirname, '../../../ingest');
/** These write no input, output or props of their own: tests, names of parts of turns, lists of texts, hints for people, summaries, previews, types of bytes, copies for readers that are not stored, other fields of a content, hashes. */
const others =
  /\.test\.ts$|fixtures|\/(hint|record-times|turn-record|history-turn|agents|evaluations|bare-summary|preview|readable-text|span-texts|media-type|media-references|embedded-media|without-media|content-events|dropped-content|span-role|tool-definitions|call-hashes)\.ts$/;
const sources = ['normalise/content/**/*.ts', 'normalise/*.ts', 'agent-records/*.ts', 'otlp/log-events.ts'].flatMap((pattern) =>
  globSync(pattern, { cwd: ingest }).filter((name) => !others.test(name)),
);

interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value;
/** Functions that only compare or look up the texts that they get. */
const comparing =
  /^(startsWith|endsWith|includes|has|get|text|structure|history|flattened|withPrefix|textIn|amountIn|lastText|lastNamed|indexOf|split|RegExp|attributeReader|from|eventListReader|historyReader|flattenedReader|mastraPayload|memoryReader|firstText|keyOf|roles|eventAttribute|reading|Error|warn)$/;

/** Names of the functions that a module declares: an object with one of them as its value is a table of handlers, not part of a content. */
function functionsIn(program: SyntaxNode): Set<string> {
  const statements = (program['body'] as SyntaxNode[]).map((statement) => (statement['declaration'] as SyntaxNode | null) ?? statement);
  const declared = statements.flatMap((statement) => (statement['declarations'] as SyntaxNode[] | undefined) ?? [statement]);
  const functions = declared.filter((node) => node.type === 'FunctionDeclaration' || isFunction(node['init']));
  return new Set(functions.map(({ id }) => String((id as SyntaxNode)['name'])));
}

const isFunction = (node: unknown): boolean => isNode(node) && /^(Arrow)?Function/.test(node.type);

/** Texts in an expression that can become part of a value: no operands of comparisons, no keys that are read, no names of handlers, no types. */
function* emitted(node: unknown, functions: ReadonlySet<string>): Generator<string> {
  if (Array.isArray(node)) {
    for (const item of node) yield* emitted(item, functions);
    return;
  }
  if (!isNode(node)) return;
  switch (node.type) {
    case 'Literal':
      if (typeof node['value'] === 'string') yield node['value'];
      return;
    case 'TemplateElement':
      yield String((node['value'] as { cooked: string }).cooked);
      return;
    case 'Property': {
      const key = node['key'] as SyntaxNode;
      const value = node['value'] as SyntaxNode;
      const isHandler = isFunction(value) || (value.type === 'Identifier' && functions.has(String(value['name'])));
      if (!node['computed'] && !isHandler) yield String(key['name'] ?? key['value']);
      yield* emitted(node['value'], functions);
      return;
    }
    case 'BinaryExpression':
      if (node['operator'] === '+') yield* emitted([node['left'], node['right']], functions);
      return;
    case 'MemberExpression':
      yield* emitted(node['object'], functions);
      return;
    case 'SwitchCase':
      yield* emitted(node['consequent'], functions);
      return;
    case 'CallExpression':
    case 'NewExpression': {
      const callee = node['callee'] as SyntaxNode;
      const name = String(callee['name'] ?? (callee['property'] as SyntaxNode | undefined)?.['name'] ?? '');
      yield* emitted(callee, functions);
      if (!comparing.test(name)) yield* emitted(node['arguments'], functions);
      return;
    }
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
      yield* emitted(node['declaration'], functions);
      return;
    case 'ObjectPattern':
      return;
    default:
      if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression') return;
      for (const [field, value] of Object.entries(node)) if (!/[tT]ype/.test(field)) yield* emitted(value, functions);
  }
}

describe('the words of the normaliser', () => {
  it('are all that it can add to a content', () => {
    const missing = new Map<string, string>();
    for (const source of sources) {
      const { program } = parseSync(source, readFileSync(join(ingest, source), 'utf8'));
      for (const text of emitted(program.body, functionsIn(program as unknown as SyntaxNode))) {
        for (const [word] of text.matchAll(/\w{3,}/g)) if (!normaliserText.includes(word)) missing.set(word, source);
      }
    }
    expect(Object.fromEntries(missing)).toEqual({});
  });
});
