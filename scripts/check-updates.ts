/**
 * `node scripts/check-updates.ts FOLDER [URL]`: whether installed apps could update to the version in this folder of installers and `latest*.yml`
 * files, and, with an address, whether that address serves them. Exits with 1 when not.
 */
import packageFile from '../package.json' with { type: 'json' };
import { folderFaults, servedFaults } from './update-feed.ts';

const [folder, url] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Name the folder with the installers.\n');
  process.exit(1);
}
const faults = [...(await folderFaults(folder, packageFile.version)), ...(url === undefined ? [] : await servedFaults(folder, url))];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length === 0) process.stdout.write(`Apps can update to ${packageFile.version}.\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
