import type { RawValue } from '../../otlp/raw-span.ts';
import { isForbiddenKey, plain } from '../attributes.ts';

/** Longest path that means anything: `0.message.contents.1.message_content.image.image.url`. */
const SEGMENTS_MAX = 16;

/**
 * Attributes whose keys are paths (`0.message.role`, `0.message.tool_calls.1.tool_call.id`) as the value they were made from: numbered
 * keys become lists in the order of their numbers, gaps closed, so that an index of a billion costs nothing. Attributes without a value
 * are left out (openinference-vercel 2 sends `tool_calls.0…` that way for every message).
 */
export function treeOf(rows: readonly (readonly [path: string, value: RawValue])[]): unknown {
  const root: Branch = new Map();
  for (const [path, value] of rows) {
    if (value !== null) plant(root, path.split('.', SEGMENTS_MAX), value);
  }
  return grown(root);
}

type Branch = Map<string, Branch | Leaf>;
interface Leaf {
  value: RawValue;
}

function plant(root: Branch, path: string[], value: RawValue): void {
  let branch = root;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const segment = path[depth] ?? '';
    const next = branch.get(segment);
    if (next instanceof Map) {
      branch = next;
      continue;
    }
    const fresh: Branch = new Map();
    branch.set(segment, fresh);
    branch = fresh;
  }
  const last = path.at(-1) ?? '';
  if (!(branch.get(last) instanceof Map)) branch.set(last, { value });
}

function grown(branch: Branch): unknown {
  const keys = [...branch.keys()];
  if (keys.length > 0 && keys.every(isIndex)) {
    const ordered = keys.length === 1 ? keys : keys.sort((left, right) => Number(left) - Number(right));
    return ordered.map((key) => grownChild(branch.get(key)));
  }
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, child] of branch) {
    if (!isForbiddenKey(key)) object[key] = grownChild(child);
  }
  return object;
}

function grownChild(child: Branch | Leaf | undefined): unknown {
  if (child === undefined) return null;
  return child instanceof Map ? grown(child) : plain(child.value);
}

function isIndex(key: string): boolean {
  if (key === '' || key.length > 12) return false;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
