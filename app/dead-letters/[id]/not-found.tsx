import Link from 'next/link';

export default function NotFound() {
  return (
    <main id="main" className="page-words">
      <h1 className="strong">There is no entry of this number.</h1>
      <p className="dim">It may have been archived, or the link was cut short.</p>
      <p>
        <Link className="link" href="/">
          To the triage page
        </Link>
      </p>
    </main>
  );
}
