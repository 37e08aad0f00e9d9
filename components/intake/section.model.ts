export const SECTIONS = ['spools', 'lines', 'producers', 'runs'] as const;
export type Section = (typeof SECTIONS)[number];

/** What the address says; another word than those of this page means the first section. */
export const sectionOf = (text: string | null | undefined): Section =>
  SECTIONS.find((section) => section === text) ?? 'spools';

/** The address of a section with what is chosen in it. */
export function sectionPath(section: Section, chosen: Record<string, string | null> = {}): string {
  const search = new URLSearchParams(section === 'spools' ? {} : { section });
  for (const [name, value] of Object.entries(chosen)) if (value !== null) search.set(name, value);
  return search.size === 0 ? '/intake' : `/intake?${search}`;
}
