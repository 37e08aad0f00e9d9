/** npm passes on a Ctrl-C that the terminal has sent to the whole group already: two of them this close are one. */
const sameKeyMs = 400;

/**
 * Listens for Ctrl-C, SIGTERM and a closed terminal.
 * @param {{ first: (signal: string) => void, again: () => void }} handlers
 */
export function onStopSignals({ first, again }) {
  let asked = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = performance.now();
      if (asked === null) {
        asked = now;
        first(signal);
      } else if (now - asked > sameKeyMs) again();
    });
  }
}

/**
 * Resolves when this process should end: by a signal, or because the process that started it with an IPC channel is
 * gone. A second signal ends at once.
 * @returns {Promise<string>} what asked for the end
 */
export function stopSignal() {
  return new Promise((resolve) => {
    onStopSignals({ first: resolve, again: () => process.exit(1) });
    if (!process.channel) return;
    process.once('disconnect', () => resolve('disconnect'));
    // Listening for the end of the channel must not keep the process alive.
    process.channel.unref();
  });
}
