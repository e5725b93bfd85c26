/** Names of all settings of a cloud gateway, which are environment variables. */
import { gitVariables } from '../git/git-settings.ts';
import { mailVariables } from '../mail/mail-settings.ts';
import { blobVariables } from './blob-settings.ts';
import { codingAgentVariables } from './cloud-agent-runs.ts';
import { alertVariables } from './cloud-alerts.ts';
import { cloudVariables } from './cloud-settings.ts';
import { postgresVariables } from './postgres-address.ts';
import { secretFileVariables } from './secret-files.ts';

export const settingNames: ReadonlySet<string> = new Set(
  [
    cloudVariables,
    secretFileVariables,
    postgresVariables,
    blobVariables,
    gitVariables,
    alertVariables,
    mailVariables,
    codingAgentVariables,
  ].flat(),
);

/** Read for the default data folder, on every kind of gateway. */
const otherNames: ReadonlySet<string> = new Set(['GLASSHOUSE_DATA']);

/** Variables that look like settings and are none, such as misspelt ones. Empty ones do not count. */
export const unknownSettings = (variables: Record<string, string | undefined>): string[] =>
  Object.entries(variables).flatMap(([name, value]) =>
    value && name.startsWith('GLASSHOUSE_') && !settingNames.has(name) && !otherNames.has(name) ? [name] : [],
  );
