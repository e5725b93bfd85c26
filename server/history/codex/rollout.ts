/** What the lines of a session file of Codex say. */
import { isJson, listAt, textAt } from '../json.ts';
import type { MessagePart, ToolResult } from '../messages.ts';
import type { Usage } from '../turn.ts';
import type { TokenCount } from './token-counts.ts';

export interface RolloutLine {
  /** Milliseconds since the epoch. */
  atMs: number;
  /** '' where the line does not say. */
  turnId: string;
  /** The turn of the user in which a sub-agent was started, directly or not; else the turn itself. '' where the line does not say. */
  rootTurnId: string;
  what: RolloutItem;
}

export type RolloutItem =
  | SessionMeta
  | { kind: 'turn'; traceId: string }
  | { kind: 'context'; model: string; folder: string }
  | { kind: 'prompt'; parts: MessagePart[] }
  | { kind: 'input'; parts: MessagePart[] }
  | { kind: 'instructions'; text: string }
  | ModelOutput
  | { kind: 'tool result'; result: ToolResult }
  | ToolOutcome
  | { kind: 'agents'; callId: string; threadIds: string[] }
  | { kind: 'usage'; usage: Usage }
  | { kind: 'token count'; count: TokenCount }
  | { kind: 'compaction'; summary: string }
  | { kind: 'error'; message: string }
  | { kind: 'turn end'; error: string | null };

export interface SessionMeta {
  kind: 'session';
  threadId: string;
  /** The thread that started a sub-agent; '' for none. */
  parentId: string;
  /** Of the thread that it was started from, for a sub-agent; else its own. */
  sessionId: string;
  isForked: boolean;
  /** The name of a sub-agent; '' for none. */
  agentName: string;
  service: string;
  version: string;
  provider: string;
  folder: string;
  branch: string;
  instructions: string;
}

/** Of the answer of a model. */
export interface ModelOutput {
  kind: 'output';
  /** '' where the line has none. */
  id: string;
  parts: MessagePart[];
  /** Null unless it calls a tool. */
  tool: { id: string; name: string; arguments: string; hasResult: boolean } | null;
}

/** What a tool did, which is not all in its result. */
export interface ToolOutcome {
  kind: 'tool outcome';
  callId: string;
  failed: boolean;
  file: string;
}

/** The parts of what a user sends: `content` of items, or of the message that they are recorded with. */
export const partsOf = (content: unknown): MessagePart[] =>
  listAt({ content }, 'content')
    .filter(isJson)
    .flatMap((part): MessagePart[] => {
      const image = /^data:([^;,]+);base64,(.*)$/s.exec(textAt(part, 'image_url'));
      if (image) return [{ type: 'blob', mime_type: image[1] ?? '', modality: 'image', content: image[2] ?? '' }];
      const text = textAt(part, 'text');
      return text === '' ? [] : [{ type: 'text', content: text }];
    });
