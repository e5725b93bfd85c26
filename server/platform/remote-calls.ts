/**
 * Proxy whose members are groups of functions, each of which becomes a call by `group.name`. The type limits the names; at run time every name
 * becomes a call.
 */
export function remoteCalls<Calls>(call: (method: string, args: unknown[]) => unknown): Calls {
  const group = (groupName: string) =>
    lazyMembers(
      (name) =>
        (...args: unknown[]) =>
          call(`${groupName}.${name}`, args),
    );
  return lazyMembers(group) as Calls;
}

/** Object that creates its members on first access. */
function lazyMembers<T>(create: (name: string) => T): Record<string, T> {
  const members: Record<string, T> = Object.create(null);
  return new Proxy(members, {
    get: (_, name) => {
      // `await` asks an object for `then`, and tools ask for symbols.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      members[name] ??= create(name);
      return members[name];
    },
  });
}
