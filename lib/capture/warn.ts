/** How a client's warnings are told; each must be words about the setup, never a payload's. */
export type Warn = (message: string) => void;

const told = new Set<string>();

/** Tells a warning once in this process for each `about`, so that a night's failures do not repeat it. Never throws. */
export function warnOnce(about: string, message: string, warn: Warn | undefined): void {
  if (told.has(about)) return;
  told.add(about);
  try {
    if (warn) warn(message);
    else process.stderr.write(`dead-letter-office: ${message}\n`);
  } catch {
    // a report that fails is no reason to fail the task
  }
}
