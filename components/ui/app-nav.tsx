'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { RunningOperations } from './running-operations';

const PAGES = [
  { href: '/', label: 'Triage', at: (path: string) => path === '/' || path.startsWith('/dead-letters') },
  { href: '/operations', label: 'Operations', at: (path: string) => path.startsWith('/operations') },
  { href: '/intake', label: 'Intake', at: (path: string) => path.startsWith('/intake') },
] as const;

export function AppNav() {
  const path = usePathname();
  return (
    <nav aria-label="Main">
      {PAGES.map(({ href, label, at }) => (
        <Link key={href} href={href} {...(at(path) ? { 'aria-current': 'page' as const } : {})}>
          {label}
          {href === '/operations' && <RunningOperations />}
        </Link>
      ))}
    </nav>
  );
}
