/**
 * The sequences of attribute keys that spans come with. An application has a few dozen, each sent again and again: a reader that knows which
 * key came next the last time compares bytes instead of making strings, and whatever follows from the keys alone is worked out once.
 */

/** One sequence of keys. */
export class AttributeShape {
  readonly keys: readonly string[];
  /** Whether a key comes twice. Of these the general decoder tells. */
  readonly repeats: boolean;
  /** What a record has before each value: `["key",`, after the end of the pair before it. */
  readonly pairs: readonly Buffer[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.#indexes = new Map(keys.map((key, index) => [key, index]));
    this.repeats = new Set(keys).size < keys.length;
    this.pairs = keys.map((key, index) => Buffer.from(`${index > 0 ? '],' : ''}[${JSON.stringify(key)},`));
  }

  /** The number of the attribute with this key. */
  indexOf(key: string): number | undefined {
    return this.#indexes.get(key);
  }
}

/** A place in a sequence: the keys so far. */
export class ShapeNode {
  readonly key: string;
  /** The key, and the bytes that separate it from its value in the format of this tree. */
  readonly bytes: Uint8Array;
  readonly #parent: ShapeNode | null;
  readonly #next = new Map<string, ShapeNode>();
  /** What came after these keys the last time. */
  likely: ShapeNode | null = null;
  #shape: AttributeShape | null = null;

  constructor(key: string, bytes: Uint8Array, parent: ShapeNode | null) {
    this.key = key;
    this.bytes = bytes;
    this.#parent = parent;
  }

  after(key: string): ShapeNode | undefined {
    return this.#next.get(key);
  }

  add(node: ShapeNode): void {
    this.#next.set(node.key, node);
  }

  /** The shape that ends here. */
  get shape(): AttributeShape {
    this.#shape ??= new AttributeShape(this.#keys());
    return this.#shape;
  }

  #keys(): string[] {
    const keys: string[] = [];
    let node: ShapeNode = this;
    for (let parent = node.#parent; parent !== null; parent = node.#parent) {
      keys.push(node.key);
      node = parent;
    }
    return keys.reverse();
  }
}

/** Senders can invent keys. A tree of more places than this is begun anew. */
const placesMax = 50_000;
/** Longer keys, and longer sequences, are left to the general decoder. */
export const shapeKeyBytesMax = 256;
export const shapeKeysMax = 512;

export class ShapeTree {
  readonly #separator: string;
  root: ShapeNode;
  #places = 0;

  /** @param separator what stands between a key and its value */
  constructor(separator: string) {
    this.#separator = separator;
    this.root = new ShapeNode('', new Uint8Array(), null);
  }

  /** The place that a key leads to; it is likely from now on. */
  step(from: ShapeNode, key: string): ShapeNode {
    let node = from.after(key);
    if (!node) {
      if (++this.#places > placesMax) this.#beginAnew();
      node = new ShapeNode(key, Buffer.from(key + this.#separator), from);
      from.add(node);
    }
    from.likely = node;
    return node;
  }

  /** Spans that are being read keep the old tree alive as long as they need it. */
  #beginAnew(): void {
    this.root = new ShapeNode('', new Uint8Array(), null);
    this.#places = 0;
  }
}
