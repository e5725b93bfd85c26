/** Addresses in a trace that could make the operating system run something, and a few valid web addresses. */

/** Schemes for which some system or application starts a program. */
const schemes = [
  ...['file', 'smb', 'afp', 'nfs', 'dav', 'davs', 'ftp', 'sftp', 'ssh', 'telnet', 'rdp', 'vnc', 'ldap', 'dict', 'gopher', 'jar'],
  ...['ms-msdt', 'search-ms', 'search', 'ms-officecmd', 'ms-word', 'ms-excel', 'ms-settings', 'ms-cxh', 'ms-appinstaller', 'shell'],
  ...['vscode', 'vscode-insiders', 'cursor', 'jetbrains', 'slack', 'zoommtg', 'teams', 'steam', 'spotify', 'itms-apps', 'facetime'],
  ...['x-apple.systempreferences', 'x-man-page', 'applescript', 'terminal', 'help', 'intent', 'market', 'tel', 'sms', 'mailto', 'callto'],
  ...['javascript', 'vbscript', 'data', 'blob', 'filesystem', 'about', 'chrome', 'chrome-extension', 'devtools', 'view-source', 'resource'],
  ...['ws', 'wss', 'magnet', 'ed2k', 'bitcoin', 'glasshouse', 'app', 'electron', 'node', 'httpx', 'https+unix'],
];

const spellings = (scheme: string): string[] => [
  `${scheme}://attacker.example/share/run.exe`,
  `${scheme.toUpperCase()}:/etc/passwd`,
  `${scheme}:alert(1)`,
  `${scheme}:///C:/Windows/System32/calc.exe?x=https://example.com`,
];

const disguised = [
  'java\nscript:alert(1)',
  '\u0000javascript:alert(1)',
  '\\\\attacker\\share\\run.exe',
  'C:\\Windows\\System32\\calc.exe',
  'https://user@bank.example',
  'https://user:secret@bank.example',
  'https://:secret@bank.example',
  'https://bank.example@attacker.example/',
  'https://bank.example%40attacker.example@x.example/',
  'http://127.0.0.1:9418@attacker.example/',
  'https://',
  'https://[::1',
  'https://example.com:99999',
  'https://exa mple.com',
  'https:\\\\user@attacker.example',
  `https://example.com/${'a'.repeat(9000)}`,
  'view-source:https://example.com',
  'feed:https://example.com',
  'data:text/html,<meta http-equiv=refresh content=0;url=file:///etc/passwd>',
];

export const hostileAddresses: string[] = [...schemes.flatMap(spellings), ...disguised];

/** The address as written, and the only form in which it may be opened. */
export const webAddresses: [string, string][] = [
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['https://\u0430\u0440\u0440\u04cf\u0435.com', 'https://xn--80ak6aa92e.com/'],
  ['http://2130706433:81/', 'http://127.0.0.1:81/'],
];
