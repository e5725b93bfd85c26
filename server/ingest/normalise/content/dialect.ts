import type { Message, Part, Role } from '../normalised.ts';
import type { JsonObject } from './json-value.ts';

/**
 * One format of messages. Dialects are distinguished by shape and never by instrumentation family, because real spans mix families
 * (docs/reference/ingest.md#families). A reader returns undefined for a shape that is not its own; the next one is then tried.
 */
export interface Dialect {
  /** Readers of parts with a `type`, by its value. */
  typedParts?: Readonly<Record<string, PartReader>>;
  /** Parts that are recognised by their fields alone. */
  untypedPart?: PartReader;
  /** Messages that are not `{role, content}`. */
  message?: MessageReader;
  /** Whole request or response bodies. */
  body?: BodyReader;
}

export type PartReader = (value: JsonObject, decoder: MessageDecoder) => Part | Part[] | undefined;
export type MessageReader = (value: JsonObject, decoder: MessageDecoder, role: Role) => Message | undefined;
export type BodyReader = (value: JsonObject, decoder: MessageDecoder, role: Role) => Message[] | undefined;

/** Decodes the values nested in those of a dialect. */
export interface MessageDecoder {
  /** The span is known to be a conversation, so that ambiguous shapes such as `{prompt: "..."}` are read as one. */
  readonly lenient: boolean;
  /** The content of a message: text, a part, or a list of them. */
  parts(content: unknown): Part[];
  /** One message, or undefined. `role` applies to a message without a role. */
  message(value: unknown, role: Role): Message | undefined;
  /** A list of messages or a body; undefined when the value is not a conversation. */
  messages(value: unknown, role: Role): Message[] | undefined;
}
