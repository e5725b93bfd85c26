import type { Message, Part, Role } from '../normalised.ts';
import type { JsonObject } from './json-value.ts';

/**
 * One way in which senders write messages. Dialects are told apart by shape and never by instrumentation family, because real
 * spans mix families (docs/reference/ingest.md#families). A reader answers undefined for a shape that is not its own; the next one is
 * asked.
 */
export interface Dialect {
  /** Parts that carry a `type`, by its value. */
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

/** What a dialect may ask back for the values inside its own. */
export interface MessageDecoder {
  /** The span is a conversation by its own signs, so that doubtful shapes such as `{prompt: "..."}` count as one. */
  readonly lenient: boolean;
  /** The content of a message: text, a part, or a list of them. */
  parts(content: unknown): Part[];
  /** One message, or undefined. `role` is for a message that does not name its own. */
  message(value: unknown, role: Role): Message | undefined;
  /** A list of messages or a body; undefined when the value is not a conversation. */
  messages(value: unknown, role: Role): Message[] | undefined;
}
