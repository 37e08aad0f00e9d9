import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The system's Chromium: browser builds that npm packages download are not used.
 * @returns {string | null} path of the executable
 */
export function findChromium() {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']) {
    for (const folder of folders) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  return null;
}
