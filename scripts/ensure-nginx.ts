/**
 * Installs nginx for the journeys behind a proxy: a system nginx, else the distribution's package where it can be installed. Fails with a
 * message when there is none; a journey is never skipped because nginx is missing.
 */
import { existsSync } from 'node:fs';
import { installPackage } from './distribution-package.ts';
import { systemNginx } from './nginx.ts';

const print = (line: string) => process.stderr.write(`${line}\n`);

const configured = process.env.E2E_NGINX;
if (configured !== undefined && !existsSync(configured)) {
  print(`E2E_NGINX names ${configured}, which does not exist.`);
  process.exit(1);
}

if (systemNginx() === undefined) {
  print('The journeys behind a proxy need nginx, which is not installed: installing it.');
  if (!installPackage('nginx-light') || systemNginx() === undefined) {
    print(
      'nginx could not be installed: install it (Debian: `apt-get install nginx-light`; macOS: `brew install nginx`), or set E2E_NGINX to its path.',
    );
    process.exit(1);
  }
}
