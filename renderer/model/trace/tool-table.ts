/** The tools a model was offered, each with a table of its parameters, which every provider declares in JSON Schema. */
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

/** Deeper levels are visible only in the source. */
const depthMax = 4;
const rowsMax = 200;

/** `string`, `"a" | "b"`, `number[]`, `string | null`. */
function typeOf(schema: Fields): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((child) => JSON.stringify(child)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((child) => (isFields(child) ? typeOf(child) : 'any')).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map(String).join(' | ');
  // Gemini writes types in upper case.
  const type = text(schema.type).toLowerCase();
  if (type === 'array' && isFields(schema.items)) return `${typeOf(schema.items)}[]`;
  return type || (isFields(schema.properties) ? 'object' : text(schema.$ref).split('/').at(-1) || 'any');
}

function addRows(schema: Fields, parentPath: string, depth: number, into: ToolParameter[]): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, child] of Object.entries(isFields(schema.properties) ? schema.properties : {})) {
    if (into.length >= rowsMax) return;
    const property = isFields(child) ? child : {};
    const path = parentPath ? `${parentPath}.${name}` : name;
    into.push({ path, type: typeOf(property), isRequired: required.includes(name), description: text(property.description) });
    if (depth >= depthMax) continue;
    if (isFields(property.items)) addRows(property.items, `${path}[]`, depth + 1, into);
    else addRows(property, path, depth + 1, into);
  }
}

function schemaOf(tool: Fields): Fields {
  const declared =
    tool.parameters ??
    tool.input_schema ??
    tool.inputSchema ??
    tool.parameters_json_schema ??
    tool.parametersJsonSchema ??
    tool.args_schema;
  const schema =
    isFields(declared) && isFields(declared.jsonSchema)
      ? declared.jsonSchema
      : isFields(declared) && isFields(declared.json)
        ? declared.json
        : declared;
  return isFields(schema) ? schema : {};
}

function readTool(source: unknown): OfferedTool {
  if (!isFields(source)) return { name: text(source) || 'tool', description: '', parameters: [], source };
  const inner = source.function ?? source.toolSpec ?? source;
  const tool = isFields(inner) ? inner : source;
  const parameters: ToolParameter[] = [];
  addRows(schemaOf(tool), '', 0, parameters);
  return {
    name: text(tool.name) || text(source.name) || text(source.type) || 'tool',
    description: text(tool.description),
    parameters,
    source,
  };
}

/** Empty when the text contains no tools. */
export function readTools(json: string): OfferedTool[] {
  let value: unknown;
  try {
    value = json === '' ? [] : JSON.parse(json);
  } catch {
    return [];
  }
  if (Array.isArray(value)) return value.map(readTool);
  // Some senders write an object by name.
  return isFields(value) ? Object.entries(value).map(([name, tool]) => ({ ...readTool(tool), name })) : [];
}
