import { type Browser, chromium } from 'playwright';
import { findChromium } from '@/lib/cli/find-chromium.mjs';

/** WebGL through SwiftShader, the same on every machine; and no traffic of the browser's own. */
const flags = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
];

/** Starts a headless Chromium of the system. Throws when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium was found. On Debian: apt-get install chromium');
  return chromium.launch({ executablePath, args: flags, timeout: 120_000 });
}
