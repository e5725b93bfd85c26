/**
 * Path, under the templates folder, of the dataset that a prompt refers to.
 * @returns null for a path outside of the folder, or one that is not a dataset
 */
export function datasetAt(promptPath: string, datasetPath: string): string | null {
  const isRelative = /^\.\.?\//.test(datasetPath);
  const parts = isRelative ? promptPath.split('/').slice(0, -1) : [];
  for (const part of datasetPath.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/').endsWith('.jsonl') ? parts.join('/') : null;
}
