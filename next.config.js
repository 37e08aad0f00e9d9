/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  serverExternalPackages: ['pg', 'pino', 'graphile-worker'],
  turbopack: { root: import.meta.dirname },
  // `npm test` and `npm run verify` check the types of the whole tree, tests included; a person who starts the product
  // should neither wait for that nor be stopped by a test file.
  typescript: { ignoreBuildErrors: true },
};
