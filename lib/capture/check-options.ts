import { nearestName } from '../dead-letter/nearest-name';
import type { CaptureOptions } from './options';
import { warnOnce } from './warn';

const OPTIONS: Record<keyof CaptureOptions | 'payload', true> = {
  url: true,
  task_name: true,
  code_version: true,
  queue: true,
  run_id: true,
  token: true,
  timeout_ms: true,
  spool: true,
  capture_aborts: true,
  on_capture_error: true,
  classify: true,
  redact: true,
  warn: true,
  now: true,
  capture_id: true,
  batch: true,
  payload: true,
};

/** What is wrong with the address of a server; null where nothing is. */
export function urlFault(url: unknown): string | null {
  if (url === undefined || url === null || url === '') {
    return 'url is missing; give the address of the server, as http://127.0.0.1:3000';
  }
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  if (parsed && /^https?:$/.test(parsed.protocol)) return null;
  return `url is no http address but ${shown(url)}; give one like http://127.0.0.1:3000`;
}

/** What is wrong with the options of a capture; an unknown one is named with the known one that it resembles. */
export function optionFaults(options: object): string[] {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTIONS, name));
  const faults = unknown.map((name) => {
    const near = nearestName(name, Object.keys(OPTIONS));
    return `there is no option ${shown(name)}${near ? `; did you mean ${near}?` : ''}`;
  });
  const url = urlFaultOf(options);
  return url === null ? faults : [...faults, url];
}

function urlFaultOf(options: object): string | null {
  let url: unknown;
  try {
    url = Reflect.get(options, 'url');
  } catch {
    // a getter that has none yet
    return null;
  }
  return urlFault(url);
}

/** A capture goes on with the options that it understands. Never throws. */
export function warnOfOptions(options: Partial<CaptureOptions>): void {
  try {
    const { warn } = options;
    for (const fault of optionFaults(options)) warnOnce(`options ${fault}`, `capture(): ${fault}`, warn);
  } catch {
    // a getter that throws; what needs the option says so
  }
}

/** Never with the user and password that an address may hold. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : typeof value;
  return `“${text.replace(/\/\/[^/@]*@/, '//…@').slice(0, 200)}”`;
}
