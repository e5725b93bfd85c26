import { codexSession } from './families/codex.ts';
import { mlflowText } from './families/mlflow.ts';
import { inMetadata } from './families/openinference.ts';
import { onRootOnly } from './families/traceloop.ts';
import { from, type Source } from './field-resolver.ts';
import type { TextField } from './fields.ts';
import { identifierValue, textValue } from './values.ts';

/**
 * Sources of identity: session, user, names, environment, dataset run. The first usable source wins
 * (docs/reference/ingest.md#sessions-users-names).
 */

/** The two keys of AgentMark. */
function agentmarkKeys(name: string): Source[] {
  return [`agentmark.${name}`, `agentmark.metadata.${name}`].map((key) => from(key, identifierValue));
}

/** Identifiers of free form, truncated to 512 characters. */
function ids(...keys: string[]): Source[] {
  return keys.map((key) => from(key, identifierValue));
}

/** '' and the text `null`, which templates and `String(null)` produce, are not a session. */
function sessions(sources: Source[]): Source[] {
  return sources.map((source) => {
    if (typeof source === 'string') return source;
    return from(source.key, (value, resolver) => {
      const id = source.read(value, resolver);
      return id === 'null' ? undefined : id;
    });
  });
}

const mcpSession = from('mcp.session.id', (value, resolver) =>
  resolver.spanData.span.parent_id === null && resolver.text('mcp_method') !== '' ? identifierValue(value) : undefined,
);

/** In spans of coding agents these keys have the id of the user's prompt, not of a template. */
const templateName = (key: string): Source =>
  from(key, (value, { spanData }) =>
    /^(com\.anthropic\.claude_code|gemini-cli$)/.test(spanData.scope.name) ? undefined : textValue(value),
  );

export const identitySources = {
  session_id: sessions([
    ...agentmarkKeys('session_id'),
    ...ids(
      'session.id',
      'traceloop.association.properties.session_id',
      'gen_ai.conversation.id',
      'langfuse.session.id',
      'traceloop.association.properties.sessionId',
      'traceloop.association.properties.thread_id',
      'traceloop.association.properties.conversation_id',
      'ai.telemetry.metadata.sessionId',
      'ai.telemetry.metadata.session_id',
      'ai.settings.context.sessionId',
      'ai.settings.context.session_id',
      'mastra.metadata.sessionId',
      'langsmith.metadata.session_id',
      'langsmith.metadata.thread_id',
      'langsmith.metadata.conversation_id',
      'lmnr.association.properties.session_id',
      'gcp.vertex.agent.session_id',
      'metadata.sessionId',
      'metadata.session_id',
    ),
    mlflowText('mlflow.trace.session'),
    from('metadata', inMetadata('session_id', 'sessionId', 'thread_id', 'conversation_id')),
    mcpSession,
    codexSession('thread.id'),
    codexSession('conversation.id'),
  ]),
  session_name: agentmarkKeys('session_name'),
  user_id: [
    ...agentmarkKeys('user_id'),
    ...ids(
      'user.id',
      'traceloop.association.properties.user_id',
      'langfuse.user.id',
      'enduser.id',
      'traceloop.association.properties.userId',
      'ai.telemetry.metadata.userId',
      'ai.telemetry.metadata.user_id',
      'ai.settings.context.userId',
      'ai.settings.context.user_id',
      'mastra.metadata.userId',
      'lmnr.association.properties.user_id',
      'gen_ai.request.user',
      'llm.user',
      'langsmith.metadata.user_id',
      'metadata.userId',
      'metadata.user_id',
    ),
    mlflowText('mlflow.trace.user'),
    from('metadata', inMetadata('user_id', 'userId')),
  ],
  trace_name: [
    ...agentmarkKeys('trace_name'),
    'traceloop.entity.name',
    'langfuse.trace.name',
    // Each run sends its own name; only that of the outermost run is the name of the trace.
    from('langsmith.trace.name', onRootOnly),
    from('traceloop.workflow.name', onRootOnly),
    from('gen_ai.workflow.name', onRootOnly),
    'ai.telemetry.metadata.traceName',
    from('ai.telemetry.functionId', onRootOnly),
    from('componentName', onRootOnly),
  ],
  prompt_name: [
    ...agentmarkKeys('prompt_name'),
    'langfuse.observation.prompt.name',
    templateName('gen_ai.prompt.name'),
    'traceloop.prompt.key',
    templateName('prompt.id'),
    'ai.telemetry.metadata.prompt_name',
    'ai.telemetry.metadata.promptName',
  ],
  prompt_path: ['agentmark.prompt_path'],
  prompt_version: [
    'gen_ai.prompt.version',
    'langfuse.observation.prompt.version',
    'traceloop.prompt.version',
    'llm.prompt_template.version',
  ],
  environment: [
    'agentmark.environment',
    'langfuse.environment',
    'deployment.environment.name',
    'deployment.environment',
    'gen_ai.environment',
    'ai.telemetry.metadata.environment',
    'mastra.metadata.environment',
  ],
  release: ['langfuse.release', 'service.version', 'langfuse.version'],
  commit_sha: ['agentmark.metadata.commit_sha', 'vcs.ref.head.revision', 'git.commit.sha'],
  dataset_run_id: [...agentmarkKeys('dataset_run_id'), 'langfuse.experiment.id'],
  dataset_run_name: [...agentmarkKeys('dataset_run_name'), 'langfuse.experiment.name'],
  dataset_path: [...agentmarkKeys('dataset_path'), 'langfuse.experiment.dataset.id'],
  dataset_item_name: [...agentmarkKeys('dataset_item_name'), 'langfuse.experiment.item.id'],
  experiment_key: ['agentmark.experiment_key'],
  source_tree_hash: ['agentmark.source_tree_hash'],
} satisfies Partial<Record<TextField, Source[]>>;
