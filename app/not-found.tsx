import type { Metadata } from 'next';
import Link from 'next/link';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main id="main" className="plain-page">
      <h1>There is nothing at this address.</h1>
      <p className="dim">
        Entries are never deleted, so a link to one keeps working; an address may have been cut off when it was copied.
      </p>
      <p className="row">
        <Link className="btn" href="/">
          Triage
        </Link>
        <Link className="btn btn-quiet" href="/?state=any">
          All entries, resolved ones too
        </Link>
      </p>
    </main>
  );
}
