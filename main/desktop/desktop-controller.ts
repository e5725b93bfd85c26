/**
 * Logic of the desktop, without Electron: menus and tray follow the state, commits become counts, notifications and a badge, files and links
 * become screens. Its gateway, settings and shell are passed in.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { noPorts, standardPorts } from '../../server/entry/otlp-ports.ts';
import { type PortTaken, portsMessage, takenMessage } from '../../server/entry/standard-ports.ts';
import type { Client } from '../../shared/client.ts';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { DesktopKey } from '../../shared/desktop-keys.ts';
import type { Ask } from './ask.ts';
import { BudgetNotices, budgetLines } from './budget-notices.ts';
import { traceRoute } from './deep-link.ts';
import { DistinctCounter } from './distinct-counter.ts';
import { type Item, menuTemplate } from './menu.ts';
import { type Notice, Notices, shownName } from './notices.ts';
import type { OpenTarget } from './open-targets.ts';
import { clientOf, hasRunEnded, readArrivedTraces, readBudgets, readRunaways } from './own-gateway.ts';
import { type Gateway, setUpLine } from './port.ts';
import { RunawayNotices } from './runaway-notices.ts';
import type { Settings, SettingsFile } from './settings.ts';
import type { Shell } from './shell.ts';
import { importTraceFile } from './trace-file.ts';
import { trayTemplate } from './tray.ts';
import { nextZoom, type ZoomCommand } from './zoom.ts';

export interface ControllerOptions {
  gateway: Gateway;
  settings: SettingsFile;
  shell: Shell;
  ask: Ask;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** The OTLP ports to listen on while the settings enable them; absent: the standard ones. */
  otlpPorts?: OtlpPorts | undefined;
  /** Menu items of other parts of the app. */
  extra: Item[];
  /** Items of the Help menu. */
  help: Item[];
}

/** The least time between two updates of the tray. */
const trayIntervalMs = 500;

export class DesktopController {
  readonly #options: ControllerOptions;
  readonly #client: Client;
  readonly #notices: Notices;
  readonly #runaways: RunawayNotices;
  readonly #budgets: BudgetNotices;
  readonly #traces = new DistinctCounter();
  #spans = 0;
  #budgetLines: readonly string[] = [];
  #unseen = 0;
  #isPaused = false;
  #portsTaken: number[] = [];
  #tray: NodeJS.Timeout | null = null;
  #unfollow = () => {};

  constructor(options: ControllerOptions) {
    const { gateway, settings } = options;
    this.#options = options;
    this.#client = clientOf(gateway.url);
    this.#notices = new Notices({
      read: (ids) => readArrivedTraces(this.#client, ids),
      hasEnded: (id) => hasRunEnded(this.#client, id),
      settings: () => settings.values,
      failed: (count) => this.#failed(count),
      notify: (notice) => this.#notify(notice),
      now: Date.now,
    });
    this.#runaways = new RunawayNotices({
      read: (ids) => readRunaways(this.#client, ids),
      isEnabled: () => settings.values.notify_runaways,
      notify: (notice) => this.#notify(notice),
    });
    this.#budgets = new BudgetNotices({
      read: () => readBudgets(this.#client),
      isEnabled: () => settings.values.notify_budgets,
      notify: (notice) => this.#notify(notice),
      onRead: (budgets) => this.#showBudgets(budgetLines(budgets)),
    });
  }

  /** Starts to follow the gateway, and listens on the OTLP ports if the settings enable them. */
  async start(): Promise<void> {
    const { gateway, settings } = this.#options;
    const unfollow = gateway.follow(({ trace_ids, span_count }) => this.#onCommit(trace_ids, span_count));
    const unfollowRunaways = gateway.followRunaways(({ trace_ids }) => void this.#runaways.add(trace_ids).catch(() => {}));
    this.#unfollow = () => {
      unfollow();
      unfollowRunaways();
    };
    this.#budgets.start();
    this.#draw();
    if (settings.setAside !== null) void this.#reportSetAside(settings.setAside);
    if (settings.values.otlp_ports) process.stderr.write(portsMessage(await this.#listenForOtlp(true), gateway.otlpPorts));
  }

  stop(): void {
    this.#unfollow();
    this.#budgets.stop();
    if (this.#tray) clearTimeout(this.#tray);
  }

  /** A window got the focus, so new failures count as seen. */
  onFocus(): void {
    if (this.#unseen === 0) return;
    this.#unseen = 0;
    this.#options.shell.badge(0);
    this.#drawTray();
  }

  async open(targets: readonly OpenTarget[]): Promise<void> {
    const { shell } = this.#options;
    if (targets.length === 0) shell.show();
    for (const target of targets)
      if ('route' in target) shell.show(target.route);
      else await this.#openFile(target.file);
  }

  set(changes: Partial<Settings>): void {
    const { settings, shell } = this.#options;
    const isNew = Object.entries(changes).some(([name, value]) => settings.values[name as keyof Settings] !== value);
    if (!isNew) return;
    settings.change(changes);
    if (changes.theme !== undefined) shell.applyTheme(changes.theme);
    if (changes.open_at_login !== undefined) shell.setOpenAtLogin(changes.open_at_login);
    if (changes.otlp_ports !== undefined) void this.#changeOtlpPorts(changes.otlp_ports);
    this.#draw();
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#options.gateway.pause(isPaused);
    this.#draw();
  }

  async run(key: DesktopKey): Promise<void> {
    const { shell } = this.#options;
    if (key.group === 'Go') shell.show(key.route);
    else if (key.id === 'reload') shell.reload();
    else if (key.id === 'new-window') shell.openWindow('#/traces');
    else if (key.id === 'open-file') await this.#chooseFile();
    else if (key.id === 'open-project') await this.#chooseProject();
    else this.zoom(key.id);
  }

  zoom(command: ZoomCommand): void {
    const { shell, settings } = this.#options;
    const zoom = nextZoom(settings.values.zoom, command);
    shell.zoom(zoom);
    settings.change({ zoom });
  }

  #draw(): void {
    const { shell, settings, gateway, platform, isPackaged, extra, help } = this.#options;
    const setUp = setUpLine(gateway.port);
    const copySetUpLine = () => shell.copy(setUp);
    shell.drawMenu(
      menuTemplate(
        {
          platform,
          isPackaged,
          settings: settings.values,
          isPaused: this.#isPaused,
          setUpLine: setUp,
          portsTaken: this.#portsTaken,
          extra,
          help,
        },
        {
          run: (key) => void this.run(key),
          copySetUpLine,
          revealData: () => shell.revealData(),
          pause: (isPaused) => this.pause(isPaused),
          set: (changes) => this.set(changes),
        },
      ),
    );
    this.#drawTray();
  }

  #drawTray(): void {
    const { shell, gateway } = this.#options;
    const setUp = setUpLine(gateway.port);
    const state = {
      traces: this.#traces.count,
      spans: this.#spans,
      unseen: this.#unseen,
      isPaused: this.#isPaused,
      setUpLine: setUp,
      budgets: this.#budgetLines,
    };
    const commands = {
      show: () => shell.show(),
      showSpending: () => shell.show('#/spending'),
      pause: (isPaused: boolean) => this.pause(isPaused),
      copySetUpLine: () => shell.copy(setUp),
      quit: () => shell.quit(),
    };
    shell.drawTray(trayTemplate(state, commands), state);
  }

  #onCommit(traceIds: readonly string[], spans: number): void {
    for (const id of traceIds) this.#traces.add(id);
    this.#spans += spans;
    this.#tray ??= setTimeout(() => {
      this.#tray = null;
      this.#drawTray();
    }, trayIntervalMs);
    this.#budgets.onCommit();
    // A gateway that is stopping does not answer, and no notification is needed then.
    this.#notices.add(traceIds).catch(() => {});
  }

  #showBudgets(lines: readonly string[]): void {
    if (lines.join('\n') === this.#budgetLines.join('\n')) return;
    this.#budgetLines = lines;
    this.#drawTray();
  }

  #failed(count: number): void {
    const { shell } = this.#options;
    if (shell.isFocused()) return;
    this.#unseen += count;
    shell.badge(this.#unseen);
  }

  #notify(notice: Notice): void {
    const { shell } = this.#options;
    if (shell.isFocused()) return;
    const { traceId, route = traceId === null ? '#/traces' : traceRoute(traceId) } = notice;
    shell.notify(notice, () => shell.show(route));
  }

  /** @returns ports used by another program, also shown in the menu */
  async #listenForOtlp(isEnabled: boolean): Promise<PortTaken[]> {
    const { gateway, otlpPorts = standardPorts } = this.#options;
    const taken = await gateway.listenForOtlp(isEnabled ? otlpPorts : noPorts);
    this.#portsTaken = taken.map(({ port }) => port);
    this.#draw();
    return taken;
  }

  async #changeOtlpPorts(isEnabled: boolean): Promise<void> {
    const taken = await this.#listenForOtlp(isEnabled);
    if (taken.length === 0) return;
    const detail = `${taken.map(takenMessage).join('\n')}\n\nAnother collector may be using them. The app tries again at its next start.`;
    await this.#options.ask({ type: 'warning', message: 'Some OTLP ports are taken', detail, buttons: ['Close'] });
  }

  async #chooseFile(): Promise<void> {
    const file = await this.#options.shell.chooseFile();
    if (file !== null) await this.#openFile(file);
  }

  async #openFile(file: string): Promise<void> {
    const { gateway, shell, ask } = this.#options;
    const result = await importTraceFile(file, gateway.url);
    if (result.kind === 'imported') {
      const [only, ...others] = result.traceIds;
      shell.show(only !== undefined && others.length === 0 ? traceRoute(only) : '#/traces');
      return;
    }
    await ask({ type: 'warning', message: `${shownName(basename(file))} was not opened`, detail: result.why, buttons: ['Close'] });
  }

  async #chooseProject(): Promise<void> {
    const { gateway, settings, shell } = this.#options;
    const project = await shell.chooseFolder();
    if (project === null || !(await stat(project)).isDirectory()) return;
    settings.change({ project });
    gateway.openProject(project);
  }

  async #reportSetAside(path: string): Promise<void> {
    const detail = `The file was kept as\n\n${path}\n\nThe values that could be read are in use; all others have their defaults.`;
    await this.#options.ask({ type: 'warning', message: 'The settings could not be read completely', detail, buttons: ['Close'] });
  }
}
