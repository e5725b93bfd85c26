/**
 * Gets the journeys through a proxy their nginx: a system one, else the distribution's package where it may be installed. Fails and says
 * so when none can be had; a journey is never skipped for want of it.
 */
import { existsSync } from 'node:fs';
import { installPackage } from './distribution-package.ts';
import { systemNginx } from './nginx.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

const named = process.env.E2E_NGINX;
if (named !== undefined && !existsSync(named)) {
  say(`E2E_NGINX names ${named}, which does not exist.`);
  process.exit(1);
}

if (systemNginx() === undefined) {
  say('The journeys through a proxy need nginx and this machine has none: getting it.');
  if (!installPackage('nginx-light') || systemNginx() === undefined) {
    say(
      'No nginx could be had: install one (Debian: `apt-get install nginx-light`; macOS: `brew install nginx`), or name one in E2E_NGINX.',
    );
    process.exit(1);
  }
}
