import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import './tokens.css';
import './ui.css';
import '@/components/ui/controls.css';
import '@/components/ui/table.css';
import '@/components/ui/app-bar.css';
import '@/components/ui/overlay.css';
import { PaletteHost } from '@/components/triage/palette/palette-host';
import { AppBar } from '@/components/ui/app-bar';
import { DISPLAY_SCRIPT } from '@/components/ui/display-script';
import { Providers } from './providers';

export const metadata: Metadata = {
  title: { default: 'Dead Letter Office', template: '%s · Dead Letter Office' },
  description: 'A dead-letter queue for failed geospatial tasks',
};
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#14171b' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    // the script sets theme, density and widths on this element before React sees it
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant text; it must run before the first paint */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: DISPLAY_SCRIPT }} />
        <link rel="preload" href="/fonts/inter-latin.woff2" as="font" type="font/woff2" crossOrigin="anonymous" />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Providers>
          <AppBar />
          {children}
          <PaletteHost />
        </Providers>
      </body>
    </html>
  );
}
