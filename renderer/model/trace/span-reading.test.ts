import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { wordDiff } from '../text/word-diff.ts';
import { aiSummary, shortened } from './ai-summary.ts';
import { conversation } from './conversation.ts';
import { readDocuments } from './documents.ts';
import { readVerdict } from './guardrail.ts';
import { blobPath, isMedia, mediaPath, readMedia } from './media.ts';
import { type Message, readMessages } from './messages.ts';
import { foldStack } from './stack-frames.ts';
import { readTools } from './tool-table.ts';
import { whatChanged } from './what-changed.ts';
import { costLines } from './why.ts';

const say = (role: string, text: string): Message => ({ role, name: '', parts: [{ type: 'text', text }] });

describe('what changed between two calls', () => {
  it('keeps the prefix that is the same and says what was added', () => {
    const before = [say('system', 's'), say('user', 'a')];
    const changes = whatChanged(before, [...before, say('assistant', 'b'), say('user', 'c')]);
    expect(changes).toMatchObject({ same: 2, edited: [], removed: [] });
    expect(changes.added.map(({ role }) => role)).toEqual(['assistant', 'user']);
  });

  it('tells an edited prompt from a new conversation', () => {
    const changes = whatChanged([say('system', 'old'), say('user', 'a')], [say('system', 'new'), say('user', 'a'), say('user', 'b')]);
    expect(changes).toMatchObject({ same: 0, edited: [{ role: 'system', before: 'old', after: 'new' }], removed: [] });
    expect(changes.added).toEqual([say('user', 'b')]);
  });

  it('finds what a window that moved on no longer sends', () => {
    const history = ['1', '2', '3', '4'].map((text) => say('user', text));
    const changes = whatChanged([say('system', 's'), ...history], [say('system', 's'), ...history.slice(2), say('user', '5')]);
    expect(changes.same).toBe(1);
    expect(changes.removed).toEqual([say('user', '1'), say('user', '2')]);
    expect(changes.added).toEqual([say('user', '5')]);
  });

  it('counts a message said twice twice', () => {
    const changes = whatChanged([say('user', 'x')], [say('user', 'y'), say('user', 'x'), say('user', 'x')]);
    expect(changes.added).toEqual([say('user', 'y'), say('user', 'x')]);
  });

  it('compares words, and gives back both texts', () => {
    const pieces = wordDiff('be very brief', 'be brief and kind');
    expect(
      pieces
        .filter(({ kind }) => kind !== 'added')
        .map(({ text }) => text)
        .join(''),
    ).toBe('be very brief');
    expect(
      pieces
        .filter(({ kind }) => kind !== 'removed')
        .map(({ text }) => text)
        .join(''),
    ).toBe('be brief and kind');
    expect(pieces.some(({ kind }) => kind === 'same')).toBe(true);
  });
});

describe('tools that were offered', () => {
  it.each([
    [
      'OpenAI',
      {
        type: 'function',
        function: { name: 'look', parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } },
      },
    ],
    ['Anthropic', { name: 'look', input_schema: { properties: { q: { type: 'string' } }, required: ['q'] } }],
    ['AI SDK', { type: 'function', name: 'look', inputSchema: { jsonSchema: { properties: { q: { type: 'string' } }, required: ['q'] } } }],
    ['Bedrock', { toolSpec: { name: 'look', inputSchema: { json: { properties: { q: { type: 'string' } }, required: ['q'] } } } }],
    ['Gemini', { name: 'look', parameters: { type: 'OBJECT', properties: { q: { type: 'STRING' } }, required: ['q'] } }],
  ])('are read from %s', (_, tool) => {
    expect(readTools(JSON.stringify([tool]))).toMatchObject([
      { name: 'look', parameters: [{ path: 'q', type: 'string', isRequired: true }] },
    ]);
  });

  it('show what is nested, and what may be chosen', () => {
    const schema = { properties: { at: { type: 'array', items: { type: 'object', properties: { unit: { enum: ['C', 'F'] } } } } } };
    expect(readTools(JSON.stringify([{ name: 't', parameters: schema }]))[0]?.parameters).toMatchObject([
      { path: 'at', type: 'object[]' },
      { path: 'at[].unit', type: '"C" | "F"' },
    ]);
  });

  it('survive anything', () => {
    for (const text of ['', 'no json', '5', '[null, 1, "x", {"function": 7}]', '{"a": null}']) expect(() => readTools(text)).not.toThrow();
  });
});

describe('media', () => {
  const sha256 = 'ab'.repeat(32);

  it('is addressed by ids and hash, whatever address the data names', () => {
    const part = readMedia({ type: 'media', mimeType: 'image/png', sha256, url: 'https://evil.test/x.png' });
    expect(part).toMatchObject({ sha256, url: '', modality: 'image' });
    expect(mediaPath('t/../x', 's?1', sha256)).toBe(`/v1/viewer/traces/t%2F..%2Fx/spans/s%3F1/media/${sha256}`);
  });

  it('is a blob of a coding agent where its address is one of ours to the letter', () => {
    const read = (url: string) => readMedia({ type: 'media', modality: 'image', url });
    const address = `/v1/agents/blob/${sha256}`;
    expect(read(address)).toMatchObject({ blob: sha256, url: '', base64: '', sha256: '' });
    expect(blobPath(sha256)).toBe(address);
    expect(isMedia({ type: 'media', url: address })).toBe(true);
    for (const other of [`https://evil.test${address}`, `/${address}`, `${address}/..`, `${address}?x`, address.toUpperCase()])
      expect(read(other).blob).toBe('');
  });

  it('believes no hash that is none', () => {
    expect(readMedia({ type: 'media', sha256: '../../../etc', url: 'javascript:alert(1)' })).toMatchObject({
      sha256: '',
      url: 'javascript:alert(1)',
    });
  });

  it('is seen in the results of tools, and told from what only looks like it', () => {
    expect(isMedia({ type: 'media', sha256 })).toBe(true);
    expect(isMedia({ base64: 'AAAA', mediaType: 'audio/wav' })).toBe(true);
    expect(isMedia({ type: 'media' })).toBe(false);
  });

  it('stands with the words of its message', () => {
    const [card] = conversation(
      readMessages(JSON.stringify([{ role: 'user', content: ['see', { type: 'media', mimeType: 'image/png', sha256 }] }])) ?? [],
    );
    expect(card).toMatchObject({ type: 'text', text: 'see', media: [{ sha256 }] });
  });
});

it('reads the result of a tool as the AI SDK wraps it', () => {
  const part = { type: 'tool-result', toolCallId: '1', toolName: 'x', output: { type: 'error-json', value: { no: 1 } } };
  expect(readMessages(JSON.stringify([{ role: 'tool', content: [part] }]))?.[0]?.parts).toMatchObject([
    { result: { no: 1 }, isError: true },
  ]);
});

it('reads found documents in the shapes of the libraries', () => {
  expect(readDocuments({ documents: [{ id: 'd', content: 'c', score: 0.5, metadata: { k: 1 } }] })).toMatchObject([
    { id: 'd', content: 'c', score: 0.5, metadata: { k: 1 } },
  ]);
  expect(readDocuments([{ page_content: 'p', distance: 0.1 }])).toMatchObject([{ content: 'p', score: 0.1, isDistance: true }]);
  expect(readDocuments([{ document: { pageContent: 'p' }, score: 1 }])).toMatchObject([{ content: 'p', score: 1 }]);
  expect(readDocuments([{ name: 'not a document' }])).toBeNull();
  expect(readDocuments([])).toBeNull();
});

it('reads what a guardrail decided only where it says so', () => {
  expect(readVerdict({ passed: true })).toMatchObject({ isPassed: true });
  expect(readVerdict({ tripwire_triggered: true, reason: 'off topic' })).toEqual({ isPassed: false, word: 'blocked', reason: 'off topic' });
  expect(readVerdict({ action: 'BLOCKED' })).toMatchObject({ isPassed: false });
  expect(readVerdict({ score: 1 })).toBeNull();
  expect(readVerdict({ action: '__proto__' })).toBeNull();
});

it('folds a stack to the frames of its owner', () => {
  const js = 'Error: no\n    at mine (/app/src/a.ts:1:2)\n    at theirs (/app/node_modules/x/i.js:1:2)\n    at node:internal/process:1';
  expect(foldStack(js).map(({ isOwn, lines }) => [isOwn, lines.length])).toEqual([
    [true, 2],
    [false, 2],
  ]);
  const python =
    'Traceback:\n  File "/app/a.py", line 1, in f\n    g()\n  File "/usr/lib/python3.12/site-packages/x.py", line 2, in g\n    raise E\nE: no';
  expect(foldStack(python).map(({ isOwn, lines }) => [isOwn, lines.length])).toEqual([
    [true, 3],
    [false, 2],
    [true, 1],
  ]);
  expect(
    foldStack(js)
      .flatMap(({ lines }) => lines)
      .join('\n'),
  ).toBe(js);
});

it('adds up a cost from its parts, the cached ones at their own rate', () => {
  const values = { input_tokens: 1000, cache_read_tokens: 400, output_tokens: 100, reasoning_tokens: 30 };
  expect(costLines(values, { matched: 'x', estimated: false, input: 2, output: 10, cache_read: 0.5 })).toEqual([
    { what: 'input', tokens: 600, rate: 2, cost: '$0.0012' },
    { what: 'input from cache', tokens: 400, rate: 0.5, cost: '$0.00020' },
    { what: 'output', tokens: 100, rate: 10, cost: '$0.0010' },
  ]);
});

it('tells an assistant what happened in a text that stays short', () => {
  const input = JSON.stringify([{ role: 'user', content: 'x'.repeat(100_000) }]);
  const span = aSpan({ name: 'chat', status: 'ERROR', status_message: 'rate limited', input, span_kind: 'llm' });
  const text = aiSummary({ span, path: ['root', 'chat'], exceptions: [{ type: 'E', message: 'm', stack: '' }], errors: ['tool look'] });
  expect(text).toContain('rate limited');
  expect(text).toContain('Path: root > chat');
  expect(text).toContain('characters left out');
  expect(text.length).toBeLessThan(4000);
  expect(shortened('ab\ud83d\ude00'.repeat(2000)).isWellFormed()).toBe(true);
});
