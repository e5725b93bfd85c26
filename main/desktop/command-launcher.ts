/** The file that a shell finds as `glasshouse`: it names the app, and passes its arguments to the command that came with the app. */

/** Marks our files; others are never replaced or removed. */
const mark = 'Written by the Glasshouse app, whose menu removes it';

export interface Launcher {
  platform: NodeJS.Platform;
  version: string;
  /** Executable of the app, which `run` starts without a gateway. */
  app: string;
  /** The program for Node. */
  program: string;
}

/** Single quotes protect everything from a shell but the quote itself. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** In a batch file a percent sign begins a variable, also within quotes. No path of Windows holds a quote. */
const quoteForBatch = (text: string): string => `"${text.replaceAll('%', '%%')}"`;

const needsNode = 'glasshouse: this needs Node 22.18 or newer on the PATH (https://nodejs.org)';
const filesMissing = 'glasshouse: the files of the Glasshouse app were moved; install the command again from its menu';

const shellText = ({ version, app, program }: Launcher): string => `#!/bin/sh
# ${mark}. ${version}
command -v node >/dev/null || { echo '${needsNode}' >&2; exit 127; }
[ -f ${quoteForShell(program)} ] || { echo '${filesMissing}' >&2; exit 127; }
GLASSHOUSE_APP=${quoteForShell(app)} exec node ${quoteForShell(program)} "$@"
`;

const batchText = ({ version, app, program }: Launcher): string =>
  [
    '@echo off',
    `rem ${mark}. ${version}`,
    'setlocal',
    `set "GLASSHOUSE_APP=${app.replaceAll('%', '%%')}"`,
    `where node >nul 2>nul || (echo ${needsNode.replace(/[()]/g, '^$&')} 1>&2 & exit /b 127)`,
    `node ${quoteForBatch(program)} %*`,
    '',
  ].join('\r\n');

export const launcherText = (launcher: Launcher): string => (launcher.platform === 'win32' ? batchText(launcher) : shellText(launcher));

export const isLauncher = (text: string): boolean => text.includes(mark);

/** Whether a launcher, perhaps written by another version or copy of the app, starts this program. */
export const startsProgram = (text: string, { platform, program }: Launcher): boolean =>
  text.includes(platform === 'win32' ? quoteForBatch(program) : quoteForShell(program));
