/** What the task throws, as it is. */
export async function thrownBy(task: () => unknown): Promise<unknown> {
  try {
    await task();
  } catch (error) {
    return error;
  }
  throw new Error('the task did not throw');
}
