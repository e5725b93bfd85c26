import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { wordDiff } from '../text/word-diff.ts';
import { aiSummary, truncateMiddle } from './ai-summary.ts';
import { conversation } from './conversation.ts';
import { readDocuments } from './documents.ts';
import { readVerdict } from './guardrail.ts';
import { blobPath, isMedia, mediaPath, readMedia } from './media.ts';
import { type Message, readMessages } from './messages.ts';
import { foldStack } from './stack-frames.ts';
import { readTools } from './tool-table.ts';
import { whatChanged } from './what-changed.ts';
import { costLines } from './why.ts';

const message = (role: string, text: string): Message => ({ role, name: '', parts: [{ type: 'text', text }] });

describe('what changed between two calls', () => {
  it('finds the common prefix and the added messages', () => {
    const before = [message('system', 's'), message('user', 'a')];
    const changes = whatChanged(before, [...before, message('assistant', 'b'), message('user', 'c')]);
    expect(changes).toMatchObject({ same: 2, edited: [], removed: [] });
    expect(changes.added.map(({ role }) => role)).toEqual(['assistant', 'user']);
  });

  it('recognises an edited prompt in a continued conversation', () => {
    const changes = whatChanged(
      [message('system', 'old'), message('user', 'a')],
      [message('system', 'new'), message('user', 'a'), message('user', 'b')],
    );
    expect(changes).toMatchObject({ same: 0, edited: [{ role: 'system', before: 'old', after: 'new' }], removed: [] });
    expect(changes.added).toEqual([message('user', 'b')]);
  });

  it('finds the messages that a sliding window no longer sends', () => {
    const history = ['1', '2', '3', '4'].map((text) => message('user', text));
    const changes = whatChanged([message('system', 's'), ...history], [message('system', 's'), ...history.slice(2), message('user', '5')]);
    expect(changes.same).toBe(1);
    expect(changes.removed).toEqual([message('user', '1'), message('user', '2')]);
    expect(changes.added).toEqual([message('user', '5')]);
  });

  it('counts a message that occurs twice as two', () => {
    const changes = whatChanged([message('user', 'x')], [message('user', 'y'), message('user', 'x'), message('user', 'x')]);
    expect(changes.added).toEqual([message('user', 'y'), message('user', 'x')]);
  });

  it('compares words, and both texts can be restored', () => {
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

  it('does not mix texts that share only a few words', () => {
    const [before, after] = [
      '{"price":45,"unit":"USD per kWh","source":"a table"}',
      'Error: the price service did not answer a call in 30 s',
    ];
    expect(wordDiff(before, after)).toEqual([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]);
    expect(wordDiff('', after)).toEqual([{ kind: 'added', text: after }]);
    expect(wordDiff('What is the weather in Paris and Tokyo?', 'What is the weather in Atlantis?').map(({ kind }) => kind)).toContain(
      'same',
    );
    // A short text within a long one.
    expect(wordDiff('Paris', `The capital is Paris${' and more'.repeat(50)}`).map(({ kind }) => kind)).toContain('same');
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

  it('show nested parameters and enums', () => {
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

  it('is a blob of a coding agent only if its address matches our path exactly', () => {
    const read = (url: string) => readMedia({ type: 'media', modality: 'image', url });
    const address = `/v1/agents/blob/${sha256}`;
    expect(read(address)).toMatchObject({ blob: sha256, url: '', base64: '', sha256: '' });
    expect(blobPath(sha256)).toBe(address);
    expect(isMedia({ type: 'media', url: address })).toBe(true);
    for (const other of [`https://evil.test${address}`, `/${address}`, `${address}/..`, `${address}?x`, address.toUpperCase()])
      expect(read(other).blob).toBe('');
  });

  it('ignores an invalid hash', () => {
    expect(readMedia({ type: 'media', sha256: '../../../etc', url: 'javascript:alert(1)' })).toMatchObject({
      sha256: '',
      url: 'javascript:alert(1)',
    });
  });

  it('is recognised in the results of tools, and a similar object is not', () => {
    expect(isMedia({ type: 'media', sha256 })).toBe(true);
    expect(isMedia({ base64: 'AAAA', mediaType: 'audio/wav' })).toBe(true);
    expect(isMedia({ type: 'media' })).toBe(false);
  });

  it('is shown with the text of its message', () => {
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

it('reads retrieved documents in the formats of the libraries', () => {
  expect(readDocuments({ documents: [{ id: 'd', content: 'c', score: 0.5, metadata: { k: 1 } }] })).toMatchObject([
    { id: 'd', content: 'c', score: 0.5, metadata: { k: 1 } },
  ]);
  expect(readDocuments([{ page_content: 'p', distance: 0.1 }])).toMatchObject([{ content: 'p', score: 0.1, isDistance: true }]);
  expect(readDocuments([{ document: { pageContent: 'p' }, score: 1 }])).toMatchObject([{ content: 'p', score: 1 }]);
  expect(readDocuments([{ name: 'not a document' }])).toBeNull();
  expect(readDocuments([])).toBeNull();
});

it('reads the decision of a guardrail only where it is explicit', () => {
  expect(readVerdict({ passed: true })).toMatchObject({ isPassed: true });
  expect(readVerdict({ tripwire_triggered: true, reason: 'off topic' })).toEqual({ isPassed: false, word: 'blocked', reason: 'off topic' });
  expect(readVerdict({ action: 'BLOCKED' })).toMatchObject({ isPassed: false });
  expect(readVerdict({ score: 1 })).toBeNull();
  expect(readVerdict({ action: '__proto__' })).toBeNull();
});

it('separates own frames of a stack from those of libraries', () => {
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

it('computes a cost from its parts, with a separate rate for cached tokens', () => {
  const values = { input_tokens: 1000, cache_read_tokens: 400, output_tokens: 100, reasoning_tokens: 30 };
  expect(costLines(values, { matched: 'x', estimated: false, input: 2, output: 10, cache_read: 0.5 })).toEqual([
    { what: 'input', tokens: 600, rate: 2, cost: '$0.0012' },
    { what: 'input from cache', tokens: 400, rate: 0.5, cost: '$0.00020' },
    { what: 'output', tokens: 100, rate: 10, cost: '$0.0010' },
  ]);
});

it('summarises a span for an assistant in a short text', () => {
  const input = JSON.stringify([{ role: 'user', content: 'x'.repeat(100_000) }]);
  const span = aSpan({ name: 'chat', status: 'ERROR', status_message: 'rate limited', input, span_kind: 'llm' });
  const text = aiSummary({ span, path: ['root', 'chat'], exceptions: [{ type: 'E', message: 'm', stack: '' }], errors: ['tool look'] });
  expect(text).toContain('rate limited');
  expect(text).toContain('Path: root > chat');
  expect(text).toContain('characters left out');
  expect(text.length).toBeLessThan(4000);
  expect(truncateMiddle('ab\ud83d\ude00'.repeat(2000)).isWellFormed()).toBe(true);
});
