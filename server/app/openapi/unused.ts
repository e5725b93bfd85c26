import type { Document } from './descriptions.ts';

/** Removes the components that nothing in the document refers to. */
export function removeUnused(document: Document): Document {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string' && !used.has(inner)) {
        used.add(inner);
        const [, , kind = '', name = ''] = inner.split('/');
        follow(components[kind]?.[name]);
      }
      follow(inner);
    }
  };
  follow(rest);
  const schemes = new Set(
    Object.values(rest.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ security = [] }) => security.flatMap((requirement) => Object.keys(requirement))),
    ),
  );
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' ? schemes.has(name) : used.has(`#/components/${kind}/${name}`);
  const usedComponents = Object.entries(components).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(kind, name))),
  ]);
  return { ...rest, components: Object.fromEntries(usedComponents) };
}
