'use client';
import './tokens.css';
import './ui.css';
import '@/components/ui/controls.css';
import { ServerProblem } from '@/components/ui/server-problem';

/** The layout itself failed: this stands in place of the whole document. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <title>Not available · Dead Letter Office</title>
        <main className="plain-page">
          <ServerProblem digest={error.digest ?? null} onRecovered={() => window.location.reload()} />
        </main>
      </body>
    </html>
  );
}
