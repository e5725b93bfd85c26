/** The branch of a ref as events name it; null for a tag. */
export const branchOf = (ref: string): string | null => /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? null;
