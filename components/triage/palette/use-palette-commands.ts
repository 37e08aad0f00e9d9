'use client';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { DENSITIES, THEMES, useDisplay } from '@/components/ui/display';
import { openKeysDialog } from '@/components/ui/keys-request';
import { viewsQuery } from '@/lib/api/views';
import { recentViews } from '../views/browser-memory';
import { openViewsMenu } from '../views/views-request';
import type { Command } from './command.model';
import { conditionCommands } from './condition-commands';
import { pageCommands } from './page-commands';
import { shownPage } from './page-context';
import { viewCommands } from './view-commands';

const PAGES = [
  { path: '/', title: 'Triage', keys: ['g', 't'] },
  { path: '/operations', title: 'Operations', keys: ['g', 'o'] },
  { path: '/intake', title: 'Intake', keys: ['g', 'i'] },
  { path: '/docs/capture', title: 'Docs: how to capture', keys: [] },
] as const;

/** Everything that can be done from where one is, in the order in which it is offered. */
export function usePaletteCommands(open: boolean): Command[] {
  const router = useRouter();
  const { change, theme, density, letter_keys } = useDisplay();
  const { data } = useQuery({ ...viewsQuery(), enabled: open });
  return useMemo(() => {
    if (!open) return [];
    const page = shownPage();
    const visit = page?.visit ?? ((search: string) => router.push(`/${search}`));
    const display: Command[] = [
      ...THEMES.filter((each) => each !== theme).map((each) => ({
        id: `theme ${each}`,
        group: 'Display',
        title: `Theme: ${each}`,
        run: () => change({ theme: each }),
      })),
      ...DENSITIES.filter((each) => each !== density).map((each) => ({
        id: `rows ${each}`,
        group: 'Display',
        title: `Rows: ${each}`,
        run: () => change({ density: each }),
      })),
      {
        id: 'letter keys',
        group: 'Display',
        title: letter_keys ? 'Single-letter keys: turn off' : 'Single-letter keys: turn on',
        run: () => change({ letter_keys: !letter_keys }),
      },
    ];
    return [
      ...(page ? pageCommands(page) : []),
      ...PAGES.map(({ path, title, keys }) => ({
        id: `page ${path}`,
        group: 'Pages',
        title,
        keys,
        run: () => router.push(path),
      })),
      ...viewCommands(data?.items ?? [], recentViews(), visit, page !== null ? openViewsMenu : null),
      ...conditionCommands(page, visit),
      ...display,
      { id: 'keys', group: 'Help', title: 'Show the keys', keys: ['?'], run: openKeysDialog },
      {
        id: 'api',
        group: 'Help',
        title: 'Docs: the API as OpenAPI',
        run: () => window.open('/api/openapi.json', '_blank', 'noopener'),
      },
    ];
  }, [open, data, router, change, theme, density, letter_keys]);
}
