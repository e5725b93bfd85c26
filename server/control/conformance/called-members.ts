import type { ControlStore } from '../control-store.ts';

/** Records which members of a control store are called. */
export class CalledMembers {
  readonly #known = new Set<string>();
  readonly #called = new Set<string>();

  /** The store with every call recorded. */
  record(control: ControlStore): ControlStore {
    return this.#recorded(control, '');
  }

  /** Members of the recorded stores that no test has called, such as `keys.touch`. */
  get missing(): string[] {
    return [...this.#known].filter((name) => !this.#called.has(name)).sort();
  }

  #recorded<T extends object>(target: T, path: string): T {
    const entries = namesOf(target).map((name) => [name, Reflect.get(target, name) as unknown] as const);
    const recorded = entries.map(([name, member]): [string, unknown] => {
      if (typeof member === 'object' && member !== null) return [name, this.#recorded(member, `${path}${name}.`)];
      if (typeof member !== 'function') return [name, member];
      this.#known.add(path + name);
      const call = (...args: unknown[]): unknown => {
        this.#called.add(path + name);
        return member.apply(target, args);
      };
      return [name, call];
    });
    return Object.fromEntries(recorded) as T;
  }
}

/** Names of all members, of classes as well as of objects. */
function namesOf(target: object): string[] {
  const names = new Set<string>();
  for (let level: object = target; level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  names.delete('constructor');
  return [...names];
}
