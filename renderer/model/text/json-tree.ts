/**
 * JSON value as rows that can be expanded, for values of any size: collapsed parts cost nothing, and a list of a million opens as a thousand
 * ranges. Lives in a worker; only visible rows leave it.
 */
export interface JsonRow {
  /** Index among all rows. */
  at: number;
  depth: number;
  /** Name of the field or the range, `''` for the root. */
  name: string;
  kind: 'object' | 'array' | 'range' | 'string' | 'number' | 'boolean' | 'null' | 'line';
  /** A plain value, truncated to a line; empty for a branch. */
  text: string;
  /** Children of a branch, characters of a string. */
  size: number;
  isOpen: boolean;
}

/** Path from the root to a value. */
export type JsonPath = readonly (string | number)[];

interface Node {
  parent: Node | null;
  name: string | number;
  value: unknown;
  depth: number;
  /** Range of a list: from, to. */
  range: readonly [number, number] | null;
  isOpen: boolean;
}

const rangeSize = 1000;
const lineChars = 300;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
const sizeOf = (value: object) => (Array.isArray(value) ? value.length : Object.keys(value).length);

function kindOf({ value, range }: Node): JsonRow['kind'] {
  if (range) return 'range';
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

export class JsonTree {
  readonly #root: Node;
  #rows: Node[];

  constructor(value: unknown) {
    this.#root = { parent: null, name: '', value, depth: 0, range: null, isOpen: false };
    this.#rows = [this.#root];
    this.#expand(0);
  }

  get count(): number {
    return this.#rows.length;
  }

  rows(from: number, to: number): JsonRow[] {
    return this.#rows.slice(Math.max(0, from), to).map((node, i) => row(node, Math.max(0, from) + i));
  }

  toggle(at: number): void {
    if (this.#rows[at]?.isOpen) this.#collapse(at);
    else this.#expand(at);
  }

  /** Expands everything down to a level, up to `rowsMax` rows, and collapses the rest. */
  openTo(depth: number, rowsMax = 20_000): void {
    this.#collapse(0);
    for (let at = 0; at < this.#rows.length && this.#rows.length < rowsMax; at++) {
      const node = this.#rows[at] as Node;
      if (node.depth < depth) this.#expand(at);
    }
  }

  /** Expands the ancestors of a value and returns its row. */
  reveal(path: JsonPath): number {
    let at = 0;
    for (const key of path) {
      this.#expand(at);
      at = this.#childRow(at, key);
      if (at === -1) return 0;
      while (this.#rows[at]?.range) {
        this.#expand(at);
        at = this.#childRow(at, key);
        if (at === -1) return 0;
      }
    }
    return at;
  }

  path(at: number): JsonPath {
    const path: (string | number)[] = [];
    for (let node = this.#rows[at] ?? null; node?.parent; node = node.parent) if (!node.range) path.push(node.name);
    return path.reverse();
  }

  value(at: number): unknown {
    const node = this.#rows[at];
    return node?.range ? (node.value as unknown[]).slice(...node.range) : node?.value;
  }

  #childRow(at: number, key: string | number): number {
    const depth = (this.#rows[at] as Node).depth + 1;
    for (let i = at + 1; i < this.#rows.length; i++) {
      const node = this.#rows[i] as Node;
      if (node.depth < depth) return -1;
      if (node.depth > depth) continue;
      if (node.range ? Number(key) >= node.range[0] && Number(key) < node.range[1] : String(node.name) === String(key)) return i;
    }
    return -1;
  }

  #expand(at: number): void {
    const node = this.#rows[at];
    if (!node || node.isOpen || !isBranch(node.value)) return;
    node.isOpen = true;
    this.#rows = [...this.#rows.slice(0, at + 1), ...children(node), ...this.#rows.slice(at + 1)];
  }

  #collapse(at: number): void {
    const node = this.#rows[at];
    if (!node?.isOpen) return;
    node.isOpen = false;
    let end = at + 1;
    while (end < this.#rows.length && (this.#rows[end] as Node).depth > node.depth) end++;
    this.#rows = [...this.#rows.slice(0, at + 1), ...this.#rows.slice(end)];
  }
}

function children(parent: Node): Node[] {
  const value = parent.value as object;
  const at = { parent, depth: parent.depth + 1, isOpen: false };
  if (!Array.isArray(value)) return Object.entries(value).map(([name, item]) => ({ ...at, name, value: item as unknown, range: null }));
  const [from, to] = parent.range ?? [0, value.length];
  // Ranges of ranges, so that no row has too many children to render.
  let step = 1;
  while ((to - from) / step > rangeSize) step *= rangeSize;
  if (step === 1) return value.slice(from, to).map((item: unknown, i) => ({ ...at, name: from + i, value: item, range: null }));
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => {
    const first = from + i * step;
    const last = Math.min(to, first + step);
    return { ...at, name: `${first} … ${last - 1}`, value, range: [first, last] as const };
  });
}

function row(node: Node, at: number): JsonRow {
  const { value, depth, isOpen, range } = node;
  const text = isBranch(value) ? '' : typeof value === 'string' ? value.slice(0, lineChars) : String(value);
  const size = range ? range[1] - range[0] : isBranch(value) ? sizeOf(value) : text.length;
  return { at, depth, name: String(node.name), kind: kindOf(node), text, size: typeof value === 'string' ? value.length : size, isOpen };
}

/** `$.messages[3]["content-type"]`, as JSONPath writes it. */
export const formatPath = (path: JsonPath): string =>
  `$${path.map((key) => (typeof key === 'number' ? `[${key}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('')}`;
