import { treeOf } from './attribute-tree.ts';
import { isObject, jsonText, structuredJson } from './json-value.ts';
import type { SpanSources } from './span-sources.ts';

/** A structured field with its source. */
export interface SourcedText {
  source: string;
  text: string;
}

/** Request bodies with tools; a body that the input was read from is already parsed. */
const BODY_KEYS = [
  'langfuse.observation.input',
  'gen_ai.prompt',
  'input.value',
  'request_data',
  'gcp.vertex.agent.llm_request',
  'genkit:input',
] as const;

const DEFINITION_ATTRIBUTES = [
  'gen_ai.tool.definitions',
  'ai.prompt.tools',
  'gen_ai.request.available_tools',
  'vercel.ai.prompt.tools',
] as const;
export const DEFINITION_KEYS: readonly string[] = [
  ...DEFINITION_ATTRIBUTES,
  'llm.tools.*',
  'llm.request.functions.*',
  'model_request_parameters',
];

/** The tools available to the model, as JSON text of the list of definitions in the sender's format. */
export function toolDefinitions(sources: SpanSources): SourcedText | undefined {
  return attribute(sources) ?? flattened(sources) ?? requestParameters(sources) ?? requestBody(sources);
}

/** AI SDK sends a native list of JSON texts, the others JSON text of a list. */
function attribute(sources: SpanSources): SourcedText | undefined {
  for (const key of DEFINITION_ATTRIBUTES) {
    const value = sources.structure(key);
    if (Array.isArray(value)) return listed(key, value);
    const text = sources.text(key);
    if (text !== '') return { source: key, text };
  }
  return undefined;
}

function flattened(sources: SpanSources): SourcedText | undefined {
  const tools = sources.flattened('llm.tools.');
  if (tools !== undefined) return listed('llm.tools.*', schemas(treeOf(tools)));
  const functions = sources.flattened('llm.request.functions.');
  if (functions === undefined) return undefined;
  const tree = treeOf(functions);
  return listed('llm.request.functions.*', Array.isArray(tree) ? tree.map(functionDefinition) : []);
}

/** `llm.tools.N.tool.json_schema` is JSON text; without it, all other fields of the tool. */
function schemas(tree: unknown): unknown[] {
  if (!Array.isArray(tree)) return [];
  return tree.flatMap((item) => {
    const tool = isObject(item) ? (item['tool'] ?? item) : item;
    const schema = isObject(tool) ? tool['json_schema'] : undefined;
    return typeof schema === 'string' ? (structuredJson(schema) ?? schema) : (schema ?? tool ?? []);
  });
}

function functionDefinition(item: unknown): unknown {
  if (!isObject(item) || typeof item['parameters'] !== 'string') return item;
  return { ...item, parameters: structuredJson(item['parameters']) ?? item['parameters'] };
}

/** Pydantic AI. */
function requestParameters(sources: SpanSources): SourcedText | undefined {
  const parameters = sources.structure('model_request_parameters');
  return isObject(parameters) && Array.isArray(parameters['function_tools'])
    ? listed('model_request_parameters', parameters['function_tools'])
    : undefined;
}

function requestBody(sources: SpanSources): SourcedText | undefined {
  if (sources.role !== 'conversation') return undefined;
  for (const key of BODY_KEYS) {
    if (!sources.view.has(key)) continue;
    const body = sources.structure(key);
    const config = isObject(body) && isObject(body['config']) ? body['config'] : undefined;
    const tools = isObject(body) ? (body['tools'] ?? config?.['tools']) : undefined;
    if (Array.isArray(tools)) return listed(key, tools);
  }
  return undefined;
}

function listed(source: string, values: unknown[]): SourcedText | undefined {
  if (values.length === 0) return undefined;
  const definitions = values.map((value) => (typeof value === 'string' ? (structuredJson(value) ?? value) : value));
  return { source, text: jsonText(definitions.flatMap(declarations)) };
}

/** Gemini groups its tools: `[{functionDeclarations: [...]}]`. */
function declarations(definition: unknown): unknown {
  if (!isObject(definition)) return definition;
  const grouped = definition['functionDeclarations'] ?? definition['function_declarations'];
  return Array.isArray(grouped) ? grouped : definition;
}
