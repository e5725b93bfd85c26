/** Puts descriptions on parameters and properties, and examples on parameters: each name is explained once, in server/reference. */
import { componentWords, parameterText, propertyText } from '../../reference/words.ts';

export interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string; headers?: Record<string, unknown> }>;
  [extension: `x-${string}`]: unknown;
}

export interface Document {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, Schema>> & { schemas?: Record<string, Schema> };
  [key: string]: unknown;
}

/** Changes the document in place. */
export function describeNames(document: Document): Document {
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    const declared = name.replace(/Output$/, '');
    const text = componentWords[declared];
    if (text !== undefined) schema.description ??= text;
    // A request record (`Sent…`) has the properties of the record.
    describeProperties(declared.replace(/^Sent/, ''), schema);
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) describeOperation(operation);
  return document;
}

function describeOperation(operation: DescribedOperation): void {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const examples = (operation['x-example'] ?? {}) as Record<string, unknown>;
  delete operation['x-example'];
  for (const parameter of parameters.filter(({ $ref }) => $ref === undefined)) {
    const { description = parameter.description, ...schema } = parameter.schema;
    parameter.schema = schema;
    const text = parameterText(operationId, parameter.name, description);
    if (text !== undefined) parameter.description = text;
    if (Object.hasOwn(examples, parameter.name)) parameter.example = inType(schema, examples[parameter.name]);
  }
  for (const { content = {} } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)])
    for (const { schema } of Object.values(content)) describeProperties(operationId, schema);
}

/** @param where the name of the component, or the id of the operation that the schema is written in */
function describeProperties(where: string, schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties')
      for (const [name, property] of Object.entries(inner as Record<string, Schema>)) describeProperty(where, name, property);
    describeProperties(where, inner);
  }
}

function describeProperty(where: string, name: string, property: Schema): void {
  const text = propertyText(where, name, property.description);
  if (text !== undefined && property.$ref === undefined) property.description = text;
}

/** Query values are text; the document describes the parsed value. */
const inType = ({ type }: Schema, value: unknown): unknown => (type === 'boolean' ? value === 'true' : value);
