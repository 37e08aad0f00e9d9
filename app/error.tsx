'use client';
import { ServerProblem } from '@/components/ui/server-problem';

/** A page could not be made. The bar stays, so that the other pages can be reached. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main id="main" className="plain-page">
      <ServerProblem digest={error.digest ?? null} onRecovered={reset} />
    </main>
  );
}
