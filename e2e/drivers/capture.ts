/** Captures entries over HTTP; answers ids by work key. */
export async function captureAll(
  base_url: string,
  task_name: string,
  entries: readonly ({ work_key: string } & Record<string, unknown>)[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const entry of entries) {
    const response = await fetch(`${base_url}/api/dead-letters`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ task_name, ...entry }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${entry.work_key} was not captured: ${JSON.stringify(answer)}`);
    ids.set(entry.work_key, answer.id);
  }
  return ids;
}

/** Whether nothing of the task waits for its diagnosis any more. */
export async function isDiagnosed(base_url: string, task_name: string): Promise<boolean> {
  const response = await fetch(`${base_url}/api/triage?task_name=${task_name}&unmappable_reason=not_diagnosed`);
  return (await response.json()).total === 0;
}
