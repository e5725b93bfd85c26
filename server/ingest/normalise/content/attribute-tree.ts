import type { RawValue } from '../../otlp/raw-span.ts';
import { isForbiddenKey, plainValue } from '../attributes.ts';

/** More than the longest path in use: `0.message.contents.1.message_content.image.image.url`. */
const SEGMENTS_MAX = 16;

/**
 * Restores the value that was flattened into attributes whose keys are paths (`0.message.role`, `0.message.tool_calls.1.tool_call.id`).
 * Numbered keys become lists in the order of their numbers, without gaps, so that an index of a billion costs nothing. Attributes without
 * a value are left out (openinference-vercel 2 sends `tool_calls.0…` that way for every message).
 */
export function treeOf(rows: readonly (readonly [path: string, value: RawValue])[]): unknown {
  const root: Branch = new Map();
  for (const [path, value] of rows) {
    if (value !== null) insert(root, path.split('.', SEGMENTS_MAX), value);
  }
  return treeValue(root);
}

type Branch = Map<string, Branch | Leaf>;
interface Leaf {
  value: RawValue;
}

function insert(root: Branch, path: string[], value: RawValue): void {
  let branch = root;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const segment = path[depth] ?? '';
    const next = branch.get(segment);
    if (next instanceof Map) {
      branch = next;
      continue;
    }
    const created: Branch = new Map();
    branch.set(segment, created);
    branch = created;
  }
  const last = path.at(-1) ?? '';
  if (!(branch.get(last) instanceof Map)) branch.set(last, { value });
}

function treeValue(branch: Branch): unknown {
  const keys = [...branch.keys()];
  if (keys.length > 0 && keys.every(isIndex)) {
    const ordered = keys.length === 1 ? keys : keys.sort((left, right) => Number(left) - Number(right));
    return ordered.map((key) => childValue(branch.get(key)));
  }
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, child] of branch) {
    if (!isForbiddenKey(key)) object[key] = childValue(child);
  }
  return object;
}

function childValue(child: Branch | Leaf | undefined): unknown {
  if (child === undefined) return null;
  return child instanceof Map ? treeValue(child) : plainValue(child.value);
}

function isIndex(key: string): boolean {
  if (key === '' || key.length > 12) return false;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
