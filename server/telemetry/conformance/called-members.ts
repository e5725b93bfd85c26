import type { TelemetryStore } from '../store.ts';

type Members = {
  [M in keyof Omit<TelemetryStore, 'capabilities'>]: TelemetryStore[M] extends (...args: never[]) => unknown
    ? true
    : Record<keyof TelemetryStore[M], true>;
};

/** A member that is missing here does not compile. */
const members: Members = {
  writer: { write: true },
  traces: { list: true, find: true, outline: true, graph: true },
  traceList: { list: true, overTime: true, facets: true, matches: true, values: true },
  errorGroups: { list: true },
  comparisons: { find: true, groups: true, seenBefore: true },
  contexts: { find: true },
  spans: { list: true, ofTrace: true, io: true, tracesOf: true, raw: true, previews: true, find: true, media: true },
  sessions: { list: true, traces: true },
  scores: { insert: true, find: true, list: true, names: true, remove: true },
  statistics: { activity: true, scores: true },
  search: { traces: true, states: true, spans: true, scores: true, span: true },
  metrics: { requests: true, scores: true },
  experiments: { list: true, find: true, baseline: true },
  windows: { requests: true, runaways: true, scores: true, requestMinutes: true, runawayMinutes: true, scoreMinutes: true },
  usage: { of: true },
  deletions: { count: true, begin: true, find: true, follow: true },
  tags: { change: true, find: true },
  damage: { now: true },
  runaways: { list: true, thresholds: true, hasService: true, setThreshold: true, follow: true },
  erase: true,
  follow: true,
  probe: true,
  stop: true,
};

const names = Object.entries(members).flatMap(([name, group]) =>
  group === true ? [name] : Object.keys(group).map((member) => `${name}.${member}`),
);

/** Records which members of telemetry stores are called. */
export class CalledMembers {
  readonly #called = new Set<string>();

  /** The store with every call recorded. */
  record(store: TelemetryStore): TelemetryStore {
    return this.#recorded(store, '');
  }

  /** Members that no test has called, such as `spans.media`. */
  get missing(): string[] {
    return names.filter((name) => !this.#called.has(name));
  }

  #recorded<T extends object>(target: T, path: string): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'object' && member !== null && path === '') return this.#recorded(member, `${String(name)}.`);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          this.#called.add(path + String(name));
          return member.apply(target, args);
        };
      },
    });
  }
}
