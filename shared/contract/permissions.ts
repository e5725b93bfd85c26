/** What a credential may be allowed to do. Source: spec "Permission per endpoint", contract 4.5. */
export const permissions = ['trace.write', 'trace.read', 'span.read', 'session.read'] as const;

export type Permission = (typeof permissions)[number];
