import type { Message, Part, Role } from '../normalised.ts';
import { append } from './append.ts';
import type { Dialect, MessageDecoder, PartReader } from './dialect.ts';
import { aiSdk } from './dialects/ai-sdk.ts';
import { anthropic } from './dialects/anthropic.ts';
import { bedrockConverse } from './dialects/bedrock-converse.ts';
import { callArguments } from './dialects/call-arguments.ts';
import { cohere } from './dialects/cohere.ts';
import { completionBodies } from './dialects/completion-bodies.ts';
import { gemini } from './dialects/gemini.ts';
import { genkit } from './dialects/genkit.ts';
import { langchain } from './dialects/langchain.ts';
import { mediaParts } from './dialects/media-parts.ts';
import { openaiChat } from './dialects/openai-chat.ts';
import { openaiResponses } from './dialects/openai-responses.ts';
import { otelGenai } from './dialects/otel-genai.ts';
import { pydantic } from './dialects/pydantic.ts';
import { DEPTH_MAX, isObject, type JsonObject, textIn } from './json-value.ts';
import { roleNamed } from './role-name.ts';

/** LiveKit's chat context: `{items:[…]}`, whose items are named as in OpenAI's Responses API and whose contents are lists of strings. */
const livekit: Dialect = {
  body: (value, decoder, role) => (Array.isArray(value['items']) ? decoder.messages(value['items'], role) : undefined),
};

/** In the order in which they are tried: the most common shapes first, then stricter ones before looser ones. */
const DIALECTS: readonly Dialect[] = [
  openaiChat,
  otelGenai,
  aiSdk,
  anthropic,
  openaiResponses,
  gemini,
  bedrockConverse,
  genkit,
  langchain,
  mediaParts,
  pydantic,
  cohere,
  livekit,
  completionBodies,
  callArguments,
];

const TYPED_PARTS = new Map<string, PartReader[]>();
for (const dialect of DIALECTS) {
  for (const [type, reader] of Object.entries(dialect.typedParts ?? {})) {
    TYPED_PARTS.set(type, [...(TYPED_PARTS.get(type) ?? []), reader]);
  }
}
const UNTYPED_PARTS = DIALECTS.flatMap((dialect) => dialect.untypedPart ?? []);
const MESSAGES = DIALECTS.flatMap((dialect) => dialect.message ?? []);
const BODIES = DIALECTS.flatMap((dialect) => dialect.body ?? []);

/**
 * The messages in a value, in any dialect; undefined when it is not a conversation.
 * @param role of messages without a role
 * @param lenient the span is known to be a conversation
 */
export function decodeMessages(value: unknown, role: Role, lenient: boolean): Message[] | undefined {
  return new Decoder(lenient).messages(value, role);
}

/** The parts of one message content, in any dialect. */
export function decodeParts(content: unknown): Part[] {
  return new Decoder(true).parts(content);
}

class Decoder implements MessageDecoder {
  readonly lenient: boolean;
  #depth = 0;

  constructor(lenient: boolean) {
    this.lenient = lenient;
  }

  messages(value: unknown, role: Role): Message[] | undefined {
    if (this.#depth >= DEPTH_MAX) return undefined;
    this.#depth++;
    try {
      return Array.isArray(value) ? this.#list(value, role) : isObject(value) ? this.#single(value, role) : undefined;
    } finally {
      this.#depth--;
    }
  }

  message(value: unknown, role: Role): Message | undefined {
    if (!isObject(value)) return undefined;
    for (const read of MESSAGES) {
      const message = read(value, this, role);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  parts(content: unknown): Part[] {
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
    if (content === undefined || content === null) return [];
    if (!Array.isArray(content)) return isObject(content) ? this.#part(content) : [{ type: 'text', text: String(content) }];
    const parts: Part[] = [];
    for (const item of content) {
      if (typeof item === 'string') parts.push({ type: 'text', text: item });
      else if (isObject(item)) append(parts, this.#part(item));
      else if (item !== null && item !== undefined) parts.push({ type: 'data', value: item });
    }
    return parts;
  }

  #single(value: JsonObject, role: Role): Message[] | undefined {
    const message = this.message(value, role);
    if (message !== undefined) return [message];
    for (const read of BODIES) {
      const messages = read(value, this, role);
      if (messages !== undefined) return messages;
    }
    return undefined;
  }

  /** A list of messages, of choices, of lists of messages (LangChain batches), or the parts of one message. */
  #list(values: unknown[], role: Role): Message[] | undefined {
    if (values.length === 0) return [];
    const first = this.#item(values[0], role);
    if (first === undefined) return this.#bareTexts(values, role) ?? this.#bareParts(values, role);
    const messages = first;
    for (let index = 1; index < values.length; index++) {
      const item = values[index];
      append(messages, this.#item(item, role) ?? unknownEntry(item, role));
    }
    return messages;
  }

  #item(value: unknown, role: Role): Message[] | undefined {
    if (Array.isArray(value)) return rolePair(value) ?? this.messages(value, role);
    const message = this.message(value, role);
    if (message !== undefined) return [message];
    return isObject(value) && (isObject(value['message']) || 'choices' in value) ? this.#choice(value) : undefined;
  }

  /** `[{index, message, finish_reason}]`: the choices of a response without their envelope (Braintrust), or whole responses. */
  #choice(value: JsonObject): Message[] | undefined {
    return this.messages('choices' in value ? value : { choices: [value] }, 'assistant');
  }

  /** Spring AI and completion APIs send prompts and outputs as a list of texts. */
  #bareTexts(values: unknown[], role: Role): Message[] | undefined {
    if (!this.lenient || !values.every((value) => typeof value === 'string')) return undefined;
    return [{ role, parts: values.map((text) => ({ type: 'text', text })) }];
  }

  /**
   * Parts without a message around them. Outside conversations only parts with a `type` count, since a list of documents has texts too.
   * Generated media without a `type` stay a value (contract: an image result is a list of them).
   */
  #bareParts(values: unknown[], role: Role): Message[] | undefined {
    const parts: Part[] = [];
    for (const item of values) {
      const knownParts = isObject(item) && (this.lenient || typeof item['type'] === 'string') ? this.#knownPart(item) : undefined;
      if (knownParts === undefined || (knownParts[0]?.type === 'media' && isObject(item) && !('type' in item))) return undefined;
      append(parts, knownParts);
    }
    return [{ role, parts }];
  }

  #part(value: JsonObject): Part[] {
    return this.#knownPart(value) ?? [{ type: 'data', value }];
  }

  #knownPart(value: JsonObject): Part[] | undefined {
    const type = value['type'];
    if (type === 'text') {
      const text = textIn(value, 'text') ?? textIn(value, 'content');
      if (text !== undefined) return text === '' ? [] : [{ type: 'text', text }];
    }
    const typed = typeof type === 'string' ? TYPED_PARTS.get(type) : undefined;
    for (const read of typed ?? UNTYPED_PARTS) {
      const found = read(value, this);
      if (found !== undefined) return Array.isArray(found) ? found : [found];
    }
    const text = textIn(value, 'text');
    return text === undefined || !(typeof type === 'string' || Object.keys(value).length <= 2) ? undefined : [{ type: 'text', text }];
  }
}

/** LangChain's short form of a message: `["human", "Hi"]`. */
function rolePair(value: unknown[]): Message[] | undefined {
  const [name, text] = value;
  const role = value.length === 2 && typeof text === 'string' ? roleNamed(name) : undefined;
  return role === undefined || typeof text !== 'string' ? undefined : [{ role, parts: [{ type: 'text', text }] }];
}

/** An entry between messages that is not a message: kept, so that nothing disappears from a conversation. */
function unknownEntry(item: unknown, role: Role): Message[] {
  if (item === null || item === undefined) return [];
  return [{ role, parts: [typeof item === 'string' ? { type: 'text', text: item } : { type: 'data', value: item }] }];
}
