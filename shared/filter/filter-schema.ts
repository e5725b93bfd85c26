/** The answer of GET /v1/filter-schema, built from the table that the parsers use. */
import {
  dynamicFields,
  filterLimits,
  type Kind,
  keyPattern,
  kindRules,
  type Operator,
  type Resource,
  resources,
  staticFields,
} from './fields.ts';

interface FieldSchema {
  name: string;
  kind: Kind;
  operators: Operator[];
}

interface FamilySchema {
  pattern: string;
  key_pattern: string;
  kind: Kind;
  operators: Operator[];
}

export interface ResourceSchema {
  fields: FieldSchema[];
  dynamic_fields: FamilySchema[];
  limits: { max_predicates: typeof filterLimits.predicates; max_in_values: typeof filterLimits.listValues };
}

export const filterSchema = (): Record<Resource, ResourceSchema> =>
  Object.fromEntries(resources.map((resource) => [resource, schemaOf(resource)])) as Record<Resource, ResourceSchema>;

const schemaOf = (resource: Resource): ResourceSchema => ({
  fields: Object.entries(staticFields[resource]).map(([name, kind]) => ({ name, kind, operators: operatorsOf(kind) })),
  dynamic_fields: dynamicFields[resource].map((family) => ({
    pattern: `${family.prefix}${family.placeholder}`,
    key_pattern: keyPattern(family),
    kind: family.kind,
    operators: operatorsOf(family.kind),
  })),
  limits: { max_predicates: filterLimits.predicates, max_in_values: filterLimits.listValues },
});

const operatorsOf = (kind: Kind): Operator[] => [...kindRules[kind]];
