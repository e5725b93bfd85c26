import { frontMatterOf, yamlOf } from './front-matter.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** The name of a prompt in its front matter; null when its front matter has none or cannot be read. */
export function promptNameOf(text: string): string | null {
  try {
    const yaml = yamlOf(text);
    return yaml === null ? null : frontMatterOf(yaml).name;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return null;
    throw error;
  }
}
