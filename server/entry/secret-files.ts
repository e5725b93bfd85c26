/**
 * Secrets from files, as systemd (`LoadCredential=`) and containers provide them: `NAME_FILE` names a file with the value of `NAME`.
 * Environment variables can be read in /proc by processes of the same user, and appear in listings of units and containers.
 */
import { readFileSync } from 'node:fs';

const secrets = [
  'GLASSHOUSE_SECRET',
  'GLASSHOUSE_SECRET_PREVIOUS',
  'GLASSHOUSE_POSTGRES_URL',
  'GLASSHOUSE_CLICKHOUSE_URL',
  'GLASSHOUSE_S3_KEY_SECRET',
  'GLASSHOUSE_OIDC_CLIENT_SECRET',
  'GLASSHOUSE_GITHUB_CLIENT_SECRET',
  'GLASSHOUSE_GITHUB_WEBHOOK_SECRET',
  'GLASSHOUSE_GITLAB_CLIENT_SECRET',
  'GLASSHOUSE_SMTP_URL',
] as const;

/** Names of the variables that name such files. */
export const secretFileVariables: readonly string[] = secrets.map((name) => `${name}_FILE`);

/**
 * Variables, with the content of secret files.
 * @throws Error with a line for each invalid variable
 */
export function withSecretFiles(variables: Record<string, string | undefined>): Record<string, string | undefined> {
  const problems: string[] = [];
  const read = secrets.flatMap((name) => {
    const file = variables[`${name}_FILE`];
    if (!file) return [];
    if (variables[name]) problems.push(`${name}_FILE must not be set beside ${name}: set only one of them`);
    try {
      // Editors and `openssl rand` end files with a newline.
      return [[name, readFileSync(file, 'utf8').replace(/\r?\n$/, '')] as const];
    } catch (error) {
      problems.push(`${name}_FILE names ${file}, which cannot be read: ${(error as Error).message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { ...variables, ...Object.fromEntries(read) };
}
