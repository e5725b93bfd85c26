/** The dataset that a prompt names, as datasets are called: by their path under the templates. Null where it leads out of them. */
export function datasetAt(promptPath: string, named: string): string | null {
  const isRelative = /^\.\.?\//.test(named);
  const parts = isRelative ? promptPath.split('/').slice(0, -1) : [];
  for (const part of named.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/').endsWith('.jsonl') ? parts.join('/') : null;
}
