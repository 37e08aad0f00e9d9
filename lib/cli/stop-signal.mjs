/**
 * Resolves when this process should end: Ctrl-C, SIGTERM, a closed terminal, or the death of the process that
 * started it with an IPC channel. A second signal ends at once.
 * @returns {Promise<string>} what asked for the end
 */
export function stopSignal() {
  return new Promise((resolve) => {
    let asked = false;
    const ask = (reason) => {
      if (asked && reason !== 'disconnect') process.exit(1);
      asked = true;
      resolve(reason);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ask(signal));
    if (!process.channel) return;
    process.once('disconnect', () => ask('disconnect'));
    // Listening for the end of the channel must not keep the process alive.
    process.channel.unref();
  });
}
