import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCurl, type ModelCall, shellQuote } from './curl.ts';

/** The arguments that a real shell passes to `curl` for a command, with all key variables set. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`;
  const env = {
    PATH: '',
    ANTHROPIC_API_KEY: 'key-a',
    OPENAI_API_KEY: 'key-o',
    GEMINI_API_KEY: 'key-g',
    LLM_BASE_URL: 'https://llm.test',
    LLM_API_KEY: 'key-l',
  };
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

const hostile = [
  `'; touch /tmp/owned; '`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell must not expand it
  '$(touch /tmp/owned) `id` ${HOME} $HOME !! \\',
  `"'"'"'`,
  'two\nlines\r\nand\ttabs',
  '--output /etc/passwd',
  '@/etc/passwd',
  '\u202e\u0000\ud800 😀 \u2028',
  '%s %n && || ; | > < * ? [a] {b,c} ~ #',
];

const modelCall = (change: Partial<ModelCall> = {}): ModelCall => ({
  provider: 'openai',
  model: 'gpt-4o',
  messages: [{ role: 'user', name: '', parts: [{ type: 'text', text: 'hi' }] }],
  settings: {},
  tools: [],
  ...change,
});

const bodyOf = (args: string[]) => JSON.parse(args[args.indexOf('-d') + 1] ?? '') as Record<string, never>;

describe('one word of a shell', () => {
  it.each(hostile)('is exactly the text %j', (text) => {
    expect(argumentsOf(`curl ${shellQuote(text)}`)).toEqual([text.toWellFormed().replaceAll('\0', '')]);
  });

  it('is exactly any text', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(texts, (samples) => {
        const expected = samples.map((text) => text.toWellFormed().replaceAll('\0', ''));
        expect(argumentsOf(`curl ${samples.map(shellQuote).join(' ')}`)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a model call as curl', () => {
  it.each(['openai', 'anthropic', 'gcp.gemini', 'azure', 'groq', '', 'somebody else', ...hostile])(
    'is a single request and nothing else for %j',
    (provider) => {
      for (const text of hostile) {
        const message = {
          role: text,
          name: text,
          parts: [
            { type: 'text' as const, text },
            { type: 'tool-call' as const, id: text, name: text, args: { [text]: text } },
          ],
        };
        const args = argumentsOf(
          asCurl(
            modelCall({
              provider,
              model: text,
              messages: [message],
              settings: { temperature: text },
              tools: [{ name: text, parameters: {} }],
            }),
          ),
        );
        expect(args[0]).toMatch(/^(https?:\/\/|\/openai\/v1)/);
        const rest = args.slice(1);
        expect(rest.filter((_, i) => i % 2 === 0).every((flag) => flag === '-H' || flag === '-d')).toBe(true);
        expect(JSON.stringify(bodyOf(args))).toContain(JSON.stringify(text).slice(1, -1));
      }
    },
  );

  it('uses the protocol of Anthropic', () => {
    const messages = [
      { role: 'system', name: '', parts: [{ type: 'text' as const, text: 'Be brief.' }] },
      { role: 'assistant', name: '', parts: [{ type: 'tool-call' as const, id: 'c1', name: 'look', args: { q: 1 } }] },
      { role: 'tool', name: '', parts: [{ type: 'tool-result' as const, id: 'c1', name: 'look', result: { n: 2 }, isError: false }] },
    ];
    const args = argumentsOf(
      asCurl(modelCall({ provider: 'anthropic', model: 'claude-sonnet-4-5', messages, settings: { maxTokens: 9 } })),
    );
    expect(args.slice(0, 5)).toEqual([
      'https://api.anthropic.com/v1/messages',
      '-H',
      'x-api-key: key-a',
      '-H',
      'anthropic-version: 2023-06-01',
    ]);
    expect(bodyOf(args)).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      system: 'Be brief.',
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { q: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '{"n":2}' }] },
      ],
    });
  });

  it('infers a missing provider from the model, and treats an unknown one as OpenAI-compatible', () => {
    expect(argumentsOf(asCurl(modelCall({ provider: '', model: 'claude-x' })))[0]).toContain('anthropic');
    const args = argumentsOf(asCurl(modelCall({ provider: 'house' })));
    expect(args.slice(0, 3)).toEqual(['https://llm.test/chat/completions', '-H', 'Authorization: Bearer key-l']);
    expect(bodyOf(args)).toEqual({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
  });

  it('never contains a key', () => {
    expect(asCurl(modelCall())).toContain('"Authorization: Bearer $OPENAI_API_KEY"');
  });
});
