/** What `glasshouse doctor` does. */
import { addressOf, placeOf } from './address.ts';
import { CommandError, exitCode, textOf, type Values } from './command.ts';
import { environmentChecks, type Finding, folderChecks, otlpPortChecks, portChecks, versionChecks } from './doctor-checks.ts';
import { forwardingChecks } from './doctor-forwarding.ts';
import { repairChecks, storeChecks } from './doctor-store.ts';
import { probeGateway } from './local-gateway.ts';
import { coloured, printable } from './terminal.ts';

const marks = { ok: ['ok  ', 'green'], warning: ['warn', 'yellow'], problem: ['FAIL', 'red'] } as const;

/** Prints a line for each check. @returns the exit code */
export async function reportChecks(values: Values): Promise<number> {
  const url = addressOf(values);
  const probe = await probeGateway(url);
  const dataDir = textOf(values, 'data') ?? '';
  const isRunning = probe.kind === 'glasshouse';
  if (values['repair'] && isRunning)
    throw new CommandError(exitCode.failed, `A gateway answers ${placeOf(url)}. Stop it first: a store that is in use is not repaired.`);
  const repair = values['repair'] ? await repairChecks(dataDir) : [];
  const findings: Finding[] = [
    ...versionChecks(),
    ...portChecks(url, probe),
    ...otlpPortChecks(probe),
    ...repair,
    ...storeChecks(dataDir, isRunning),
    ...(await forwardingChecks(probe, dataDir)),
    ...folderChecks(textOf(values, 'project') ?? ''),
    ...environmentChecks(process.env, url, probe.kind === 'glasshouse' ? probe.gateway.otlpPorts : undefined),
  ];
  for (const { level, check, message, advice } of findings) {
    const [word, colour] = marks[level];
    process.stdout.write(`${coloured(colour, word)} ${check.padEnd(12)} ${printable(message)}\n`);
    if (advice !== undefined) process.stdout.write(`${' '.repeat(18)}${printable(advice)}\n`);
  }
  return findings.some(({ level }) => level === 'problem') ? exitCode.failed : exitCode.ok;
}
