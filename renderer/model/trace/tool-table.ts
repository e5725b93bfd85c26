/** The tools a model was offered, as a table each: whatever dialect they were declared in, their parameters are JSON Schema. */
export interface ToolParameter {
  /** `filter.color`, `items[]`. */
  path: string;
  type: string;
  isRequired: boolean;
  description: string;
}

export interface OfferedTool {
  name: string;
  description: string;
  parameters: ToolParameter[];
  /** Raw value. */
  source: unknown;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Deeper is read in the source. */
const depthMax = 4;
const rowsMax = 200;

/** `string`, `"a" | "b"`, `number[]`, `string | null`. */
function typeOf(schema: Fields): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((each) => (isFields(each) ? typeOf(each) : 'any')).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map(String).join(' | ');
  // Gemini writes types in capitals.
  const type = text(schema.type).toLowerCase();
  if (type === 'array' && isFields(schema.items)) return `${typeOf(schema.items)}[]`;
  return type || (isFields(schema.properties) ? 'object' : text(schema.$ref).split('/').at(-1) || 'any');
}

function rows(schema: Fields, above: string, depth: number, into: ToolParameter[]): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, each] of Object.entries(isFields(schema.properties) ? schema.properties : {})) {
    if (into.length >= rowsMax) return;
    const of = isFields(each) ? each : {};
    const path = above ? `${above}.${name}` : name;
    into.push({ path, type: typeOf(of), isRequired: required.includes(name), description: text(of.description) });
    if (depth >= depthMax) continue;
    if (isFields(of.items)) rows(of.items, `${path}[]`, depth + 1, into);
    else rows(of, path, depth + 1, into);
  }
}

function schemaOf(tool: Fields): Fields {
  const found =
    tool.parameters ??
    tool.input_schema ??
    tool.inputSchema ??
    tool.parameters_json_schema ??
    tool.parametersJsonSchema ??
    tool.args_schema;
  const schema =
    isFields(found) && isFields(found.jsonSchema) ? found.jsonSchema : isFields(found) && isFields(found.json) ? found.json : found;
  return isFields(schema) ? schema : {};
}

function read(source: unknown): OfferedTool {
  if (!isFields(source)) return { name: text(source) || 'tool', description: '', parameters: [], source };
  const inner = source.function ?? source.toolSpec ?? source;
  const tool = isFields(inner) ? inner : source;
  const parameters: ToolParameter[] = [];
  rows(schemaOf(tool), '', 0, parameters);
  return {
    name: text(tool.name) || text(source.name) || text(source.type) || 'tool',
    description: text(tool.description),
    parameters,
    source,
  };
}

/** Empty when the text holds no list. */
export function readTools(json: string): OfferedTool[] {
  let value: unknown;
  try {
    value = json === '' ? [] : JSON.parse(json);
  } catch {
    return [];
  }
  if (Array.isArray(value)) return value.map(read);
  // Some senders write an object by name.
  return isFields(value) ? Object.entries(value).map(([name, tool]) => ({ ...read(tool), name })) : [];
}
