/** What leaves the gateway for readers who may not see media. */
import { describe, expect, it } from 'vitest';
import { isIdentityKey } from '../summary/identity-keys.ts';
import { withoutMedia } from './without-media.ts';

/** Each is somewhere in a payload, and in no cleaned one. */
const secrets = ['iVBORw0KGgo', 'https://media.test/cat.png', 'cat.png', 'file-abc123'];
const base64 = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(6000)}`, 'latin1').toString('base64');
const url = 'https://media.test/cat.png';
const messages = (part: object) => JSON.stringify([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }]);

const parts: Record<string, object> = {
  'OpenAI, by address': { type: 'image_url', image_url: { url } },
  'OpenAI, with bytes': { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
  'OpenAI, a file': { type: 'file', file: { filename: 'cat.png', file_id: 'file-abc123' } },
  Anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
  'Anthropic, a document': { type: 'document', title: 'cat.png', source: { type: 'url', url } },
  Gemini: { inlineData: { mimeType: 'image/png', data: base64 } },
  Bedrock: { image: { format: 'png', source: { bytes: base64 } } },
  'AI SDK': { type: 'file', mediaType: 'image/png', filename: 'cat.png', data: url },
  OpenTelemetry: { type: 'blob', modality: 'image', mime_type: 'image/png', content: base64 },
  'a reference of a preview': { type: 'media', mimeType: 'image/png', modality: 'image', sha256: 'f'.repeat(64), url, name: 'cat.png' },
  'a reference without bytes': { type: 'media', mimeType: '', modality: 'image', name: 'cat.png' },
  'bytes without a type': { anything: base64 },
  'JSON within JSON': { type: 'tool_result', content: JSON.stringify({ type: 'image', data: base64, name: 'cat.png' }) },
  'a data URL in a text': { type: 'text', text: `![](data:image/png;base64,${base64}) is a cat` },
};

describe('media', () => {
  it.each(Object.entries(parts))('of %s are left out, and the text beside them stays', (_, part) => {
    const cleaned = withoutMedia(messages(part));
    for (const secret of secrets) expect(cleaned).not.toContain(secret);
    expect(cleaned).toContain('What is this?');
    expect(JSON.parse(cleaned)[0].role).toBe('user');
  });

  it('are left out of text that is not JSON, or is JSON no more', () => {
    for (const text of [base64, `data:image/png;base64,${base64}`, messages(parts['Anthropic'] as object).slice(0, 4000)])
      expect(withoutMedia(text)).not.toContain('iVBORw0KGgo');
  });

  it.each([
    'What is this?',
    ' { "a" : 1.0, "image": "a photo of a cat" }\n',
    messages({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a plain text' } }),
    JSON.stringify({ contentType: 'text/html', content: '<p>' }),
    'not json {"a": ',
  ])('text without media stays to the byte: %s', (text) => {
    expect(withoutMedia(text)).toBe(text);
  });

  it('hostile nesting is no error', () => {
    const deep = `${'['.repeat(200)}${JSON.stringify(parts['Anthropic'])}${']'.repeat(200)}`;
    expect(withoutMedia(deep)).not.toContain('iVBORw0KGgo');
  });
});

describe('ids of sessions and users', () => {
  it('are left out at every level, also of JSON within JSON', () => {
    const inner = { user_id: 'u-1', place: 'here', deeper: JSON.stringify({ threadId: 'u-1' }) };
    const cleaned = withoutMedia(JSON.stringify({ 'session.id': 'u-1', list: [inner] }), isIdentityKey);
    expect(cleaned).not.toContain('u-1');
    expect(cleaned).toContain('here');
  });

  it.each(['session.id', 'langfuse.user.id', 'gen_ai.request.user', 'llm.user', 'mlflow.trace.session', 'metadata.user_id', 'userId'])(
    'are known by %s',
    (key) => expect(isIdentityKey(key)).toBe(true),
  );

  it.each(['metadata', 'gen_ai.request.model', 'gen_ai.input.messages', 'user', 'role'])('%s is none', (key) =>
    expect(isIdentityKey(key)).toBe(false),
  );
});
