const PARTS = [
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['http', 'HTTP'],
  ['blobs', 'Large geometries'],
  ['sql', 'SQL'],
  ['spool', 'When the server is away'],
  ['runs', 'Runs'],
  ['classes', 'What is recognised'],
  ['order', 'Late, twice, out of order'],
] as const;

export function DocToc() {
  return (
    <nav className="doc-toc" aria-label="On this page">
      {PARTS.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}
