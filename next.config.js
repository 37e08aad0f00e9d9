/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  serverExternalPackages: ['pg', 'pino', 'graphile-worker'],
  turbopack: { root: import.meta.dirname },
  // `npm test` and `npm run verify` check the types of the whole tree, tests included; a person who starts the product
  // should neither wait for that nor be stopped by a test file.
  typescript: { ignoreBuildErrors: true },
  // A client is read and kept by people: it is text whatever its ending, and asked for anew so that nobody keeps an old one.
  headers: async () => [
    {
      source: '/clients/:file*',
      headers: [
        { key: 'Content-Type', value: 'text/plain; charset=utf-8' },
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'Cache-Control', value: 'no-cache' },
      ],
    },
  ],
};
