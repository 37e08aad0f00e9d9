import type { Entry } from '@/lib/contract/entry';

/** Whether the task's manifest still knows the version, in a sentence. */
export function manifestWords({
  code_version,
  manifest,
  task_name,
}: Pick<Entry, 'code_version' | 'manifest' | 'task_name'>): { text: string; tone: 'ok' | 'bad' | 'none' } {
  if (!manifest) return { text: `${task_name} has registered no manifest.`, tone: 'none' };
  const known = manifest.code_versions.length === 0 ? 'none' : manifest.code_versions.join(', ');
  if (code_version === null)
    return { text: `The capture named no code version; the manifest knows ${known}.`, tone: 'bad' };
  if (manifest.knows_version) return { text: `The manifest of ${task_name} knows ${code_version}.`, tone: 'ok' };
  return { text: `The manifest of ${task_name} no longer knows ${code_version}; it knows ${known}.`, tone: 'bad' };
}
