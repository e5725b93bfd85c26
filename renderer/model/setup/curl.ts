/**
 * Model call as a curl command. Messages are translated to the provider's format; keys are unknown and become variables. The text is hostile:
 * only `shellQuote` inserts it.
 */
import type { Message, Part } from '../trace/messages.ts';

export interface ModelCall {
  provider: string;
  model: string;
  messages: readonly Message[];
  settings: Record<string, unknown>;
  tools: readonly unknown[];
}

interface Request {
  url: string;
  /** Written unquoted, because they are ours: the shell expands `$NAME`. */
  headers: string[];
  body: Record<string, unknown>;
}

type Json = Record<string, unknown>;

const texts = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const withoutUndefined = (fields: Json): Json => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Settings have the names of the contract or of the sender. */
const setting = (settings: Json, ...names: string[]) => names.map((name) => settings[name]).find((value) => value !== undefined);
const commonSettings = ({ settings }: ModelCall) => ({
  temperature: setting(settings, 'temperature'),
  top_p: setting(settings, 'topP', 'top_p'),
  max_tokens: setting(settings, 'maxTokens', 'max_tokens', 'maxOutputTokens', 'max_output_tokens'),
});

function schema(tool: unknown): { name: string; description?: unknown; parameters: unknown } {
  const outer = (tool ?? {}) as Json;
  const inner = (typeof outer.function === 'object' && outer.function !== null ? outer.function : outer) as Json;
  const parameters = inner.parameters ?? inner.input_schema ?? inner.inputSchema ?? { type: 'object' };
  return { name: asText(inner.name ?? 'tool'), ...(inner.description === undefined ? {} : { description: inner.description }), parameters };
}

function openaiMessages(messages: readonly Message[]): Json[] {
  return messages.flatMap(({ role, parts }): Json[] => {
    const results = parts.flatMap((part) =>
      part.type === 'tool-result' ? [{ role: 'tool', tool_call_id: part.id, content: asText(part.result) }] : [],
    );
    const calls = parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: asText(part.args) } }] : [],
    );
    const content = texts(parts);
    if (content === '' && calls.length === 0) return results;
    return [{ role, content: content || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, ...results];
  });
}

const openai =
  (base: string, key: string) =>
  (call: ModelCall): Request => ({
    url: `${base}/chat/completions`,
    headers: [`Authorization: Bearer $${key}`],
    body: {
      model: call.model,
      messages: openaiMessages(call.messages),
      ...commonSettings(call),
      tools: call.tools.length > 0 ? call.tools.map((tool) => ({ type: 'function', function: schema(tool) })) : undefined,
    },
  });

function anthropic(call: ModelCall): Request {
  const content = (parts: readonly Part[]): Json[] =>
    parts.flatMap((part): Json[] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }];
      if (part.type === 'tool-call') return [{ type: 'tool_use', id: part.id, name: part.name, input: part.args ?? {} }];
      if (part.type === 'tool-result')
        return [{ type: 'tool_result', tool_use_id: part.id, content: asText(part.result), ...(part.isError ? { is_error: true } : {}) }];
      return [];
    });
  const system = call.messages.filter(({ role }) => role === 'system' || role === 'developer');
  const { max_tokens, ...settings } = commonSettings(call);
  return {
    url: 'https://api.anthropic.com/v1/messages',
    headers: ['x-api-key: $ANTHROPIC_API_KEY', 'anthropic-version: 2023-06-01'],
    body: {
      model: call.model,
      max_tokens: max_tokens ?? 4096,
      ...settings,
      system: system.length > 0 ? system.map(({ parts }) => texts(parts)).join('\n\n') : undefined,
      messages: call.messages
        .filter((message) => !system.includes(message))
        .map(({ role, parts }) => ({ role: role === 'assistant' ? 'assistant' : 'user', content: content(parts) })),
      tools:
        call.tools.length > 0
          ? call.tools.map((tool) => {
              const { parameters, ...rest } = schema(tool);
              return { ...rest, input_schema: parameters };
            })
          : undefined,
    },
  };
}

function gemini(call: ModelCall): Request {
  const part = (piece: Part): Json[] => {
    if (piece.type === 'text') return [{ text: piece.text }];
    if (piece.type === 'tool-call') return [{ functionCall: { name: piece.name, args: piece.args ?? {} } }];
    if (piece.type === 'tool-result') return [{ functionResponse: { name: piece.name, response: { result: piece.result } } }];
    return [];
  };
  const system = call.messages.filter(({ role }) => role === 'system' || role === 'developer');
  const { max_tokens, temperature, top_p } = commonSettings(call);
  return {
    // The model name is part of the path and untrusted.
    url: `https://generativelanguage.googleapis.com/v1beta/models/${encodeURIComponent(call.model.toWellFormed())}:generateContent`,
    headers: ['x-goog-api-key: $GEMINI_API_KEY'],
    body: {
      systemInstruction: system.length > 0 ? { parts: system.flatMap(({ parts }) => parts.flatMap(part)) } : undefined,
      contents: call.messages
        .filter((message) => !system.includes(message))
        .map(({ role, parts }) => ({ role: role === 'assistant' ? 'model' : 'user', parts: parts.flatMap(part) })),
      generationConfig: withoutUndefined({ temperature, topP: top_p, maxOutputTokens: max_tokens }),
      tools: call.tools.length > 0 ? [{ functionDeclarations: call.tools.map(schema) }] : undefined,
    },
  };
}

/** By a part of the provider's name, specific ones first. All others use the OpenAI protocol. */
const providers: readonly [RegExp, (call: ModelCall) => Request][] = [
  [/anthropic|claude/, anthropic],
  [/google|gemini|vertex|gcp/, gemini],
  [/azure/, openai('$AZURE_OPENAI_ENDPOINT/openai/v1', 'AZURE_OPENAI_API_KEY')],
  [/mistral/, openai('https://api.mistral.ai/v1', 'MISTRAL_API_KEY')],
  [/groq/, openai('https://api.groq.com/openai/v1', 'GROQ_API_KEY')],
  [/deepseek/, openai('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY')],
  [/x-?ai|grok/, openai('https://api.x.ai/v1', 'XAI_API_KEY')],
  [/openrouter/, openai('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY')],
  [/ollama/, openai('http://localhost:11434/v1', 'OLLAMA_API_KEY')],
  [/^$|openai/, openai('https://api.openai.com/v1', 'OPENAI_API_KEY')],
];

const unknownProvider = openai('$LLM_BASE_URL', 'LLM_API_KEY');

/** For our own text only: double quotes, so that the shell expands the variables. */
const expandable = (text: string) => `"${text}"`;

export function asCurl(call: ModelCall): string {
  const provider = call.provider.toLowerCase() || (/^claude/i.test(call.model) ? 'anthropic' : /^gemini/i.test(call.model) ? 'google' : '');
  const { url, headers, body } = (providers.find(([name]) => name.test(provider))?.[1] ?? unknownProvider)(call);
  const lines = [
    // Our own URLs may contain a variable; URLs with parts of the trace are quoted.
    `curl ${url.startsWith('$') ? expandable(url) : shellQuote(url)}`,
    ...headers.map((header) => `-H ${expandable(header)}`),
    `-H 'Content-Type: application/json'`,
    `-d ${shellQuote(JSON.stringify(withoutUndefined(body), null, 2))}`,
  ];
  return lines.join(' \\\n  ');
}

/**
 * Quotes any text as one word of a POSIX shell. Within single quotes only the quote itself is special; a NUL
 * cannot be an argument and is left out. Lone surrogates become U+FFFD, as they would on the way to the terminal.
 */
export function shellQuote(text: string): string {
  return `'${text.toWellFormed().replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
