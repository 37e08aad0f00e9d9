/** A log gets a line this often, a terminal one that moves. */
const LOG_EVERY_MS = 5_000;
const TERMINAL_EVERY_MS = 200;

/** How far an export is, as a person sees it. */
export class ExportProgress {
  private entries = 0;
  private bytes = 0;
  private readonly started = performance.now();
  private shown_at = performance.now();

  constructor(private readonly output: { isTTY?: boolean; write: (text: string) => unknown }) {}

  read(entries: number): void {
    this.entries += entries;
  }

  made(bytes: number): void {
    this.bytes += bytes;
    if (performance.now() - this.shown_at < (this.output.isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return;
    this.shown_at = performance.now();
    this.output.write(this.output.isTTY ? `\r\x1b[K${this.text()}` : `${this.text()}\n`);
  }

  end(word: string): void {
    this.output.write(`${this.output.isTTY ? '\r\x1b[K' : ''}${word} ${this.text()}\n`);
  }

  private text(): string {
    const seconds = (performance.now() - this.started) / 1000;
    const rate = Math.round(this.entries / Math.max(seconds, 0.001));
    return `${this.entries.toLocaleString('en-US')} ${this.entries === 1 ? 'entry' : 'entries'}, ${(this.bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s (${rate.toLocaleString('en-US')} /s)`;
  }
}
