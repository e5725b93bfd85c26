/**
 * Keyboard shortcuts of the page: screens register theirs while they are mounted, and the sheet of `?` lists exactly those. The latest
 * screen has priority. Shortcuts are inactive while the user types.
 */
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';

export interface Binding {
  /** `KeyboardEvent.key` values; `g t` is g and then t, `Mod+k` is Ctrl or Cmd with k. The first is the one shown. Without any it is a command of the palette. */
  on: readonly string[];
  label: string;
  run: () => void;
}

interface Scope {
  name: string;
  /** 1 has priority over the whole screen, -1 has it over nothing. */
  rank: -1 | 0 | 1;
  bindings: () => readonly Binding[];
}

/** The first key of a pair counts for a second, by the time at which the keys were pressed: a busy page handles them later. */
const pairMs = 1000;

class Keys {
  #scopes: readonly Scope[] = [];
  #listeners = new Set<() => void>();
  #prefix = '';
  #prefixAt = 0;

  readonly list = () => this.#scopes;

  readonly watch = (onChange: () => void) => {
    this.#listeners.add(onChange);
    return () => void this.#listeners.delete(onChange);
  };

  add(scope: Scope): () => void {
    this.#setScopes([...this.#scopes, scope].sort((a, b) => a.rank - b.rank));
    return () => this.#setScopes(this.#scopes.filter((registered) => registered !== scope));
  }

  #setScopes(scopes: readonly Scope[]) {
    this.#scopes = scopes;
    for (const onChange of this.#listeners) onChange();
  }

  #find(key: string): Binding | undefined {
    for (const scope of this.#scopes.toReversed()) {
      const found = scope.bindings().find((binding) => binding.on.includes(key));
      if (found) return found;
    }
    return undefined;
  }

  readonly press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const found = this.#find(`Mod+${event.key}`);
      if (!found || isInDialog(event)) return;
      event.preventDefault();
      found.run();
      return;
    }
    if (isInDialog(event) || isTyping(event)) return;
    const prefix = event.timeStamp - this.#prefixAt < pairMs ? this.#prefix : '';
    const found = this.#find(prefix + event.key);
    this.#prefix = prefix === '' && !found && this.#beginsPair(event.key) ? `${event.key} ` : '';
    this.#prefixAt = event.timeStamp;
    if (!found) return;
    event.preventDefault();
    found.run();
  };

  #beginsPair(key: string): boolean {
    return this.#scopes.some((scope) => scope.bindings().some((binding) => binding.on.some((on) => on.startsWith(`${key} `))));
  }
}

/** True also when nothing in the dialog has the focus: a button that is pressed and then disabled loses it. */
const isInDialog = ({ target }: KeyboardEvent) =>
  document.querySelector('dialog:modal') !== null || (target instanceof HTMLElement && target.closest('dialog') !== null);

/** Whether an element, or one around it, takes what is typed. */
export const isField = (element: Element | null): boolean =>
  element !== null && element.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !== null;

/** In a field every key is input; on a button, link or checkbox Enter and Space are a click. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (isField(target)) return true;
  return (event.key === 'Enter' || event.key === ' ') && target.closest('button, a, summary, input, [role=tab]') !== null;
}

const KeysContext = createContext<Keys | null>(null);

function useKeysContext(): Keys {
  const keys = useContext(KeysContext);
  if (!keys) throw new Error('no KeysProvider above');
  return keys;
}

export function KeysProvider({ children }: { children: ReactNode }) {
  const keys = useMemo(() => new Keys(), []);
  useLayoutEffect(() => {
    window.addEventListener('keydown', keys.press);
    return () => window.removeEventListener('keydown', keys.press);
  }, [keys]);
  return <KeysContext value={keys}>{children}</KeysContext>;
}

/**
 * Handles these shortcuts while the component is mounted. Bindings may change with every render. `isFirst`: priority over the whole screen;
 * `isLast`: every other shortcut has priority.
 */
export function useKeys(name: string, bindings: readonly Binding[], { isFirst = false, isLast = false } = {}): void {
  const keys = useKeysContext();
  const latest = useRef(bindings);
  // Before the page is painted: a key acts on what is shown.
  useLayoutEffect(() => {
    latest.current = bindings;
  });
  const rank = isFirst ? 1 : isLast ? -1 : 0;
  useLayoutEffect(() => keys.add({ name, rank, bindings: () => latest.current }), [keys, name, rank]);
}

export const useKeyScopes = () => {
  const keys = useKeysContext();
  return useSyncExternalStore(keys.watch, keys.list);
};

interface ListedBinding extends Binding {
  /** With those that trigger another binding. */
  allKeys: readonly string[];
}

/**
 * The bindings of the page by the name of their scope, the latest first. A key that two scopes have is listed with the one that it triggers;
 * the other binding stays, without it.
 */
export function groupedBindings(scopes: readonly Scope[]): { name: string; bindings: readonly ListedBinding[] }[] {
  const taken = new Set<string>();
  const own = scopes.toReversed().map(({ name, bindings }) => ({
    name,
    bindings: bindings().map((binding) => {
      const on = binding.on.filter((key) => !taken.has(key));
      for (const key of on) taken.add(key);
      return { ...binding, on, allKeys: binding.on };
    }),
  }));
  return [...Map.groupBy(own, ({ name }) => name)].map(([name, ofName]) => ({
    name,
    bindings: ofName.toReversed().flatMap(({ bindings }) => bindings),
  }));
}
