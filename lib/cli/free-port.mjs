import { createServer } from 'node:net';

/**
 * @param {number} port 0 lets the system choose
 * @returns {Promise<number | null>} the port that could be bound on 127.0.0.1, null when it is taken or not allowed
 */
function bindOnce(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : null));
    });
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port) {
  return (await bindOnce(port)) === port;
}

/**
 * A port on 127.0.0.1 that nothing listens on: the preferred one if it is free, so that saved connections keep working.
 * @param {number | null} [preferred]
 * @returns {Promise<number>}
 */
export async function freePort(preferred = null) {
  if (preferred !== null && (await isPortFree(preferred))) return preferred;
  const port = await bindOnce(0);
  if (port === null) throw new Error('no free port on 127.0.0.1');
  return port;
}
