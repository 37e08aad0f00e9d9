/** The one queue that a view's address means, or '': within a queue the names of its views are told apart. */
export function queueOf(search: string): string {
  const queues = new URLSearchParams(search).getAll('queue');
  const [queue] = queues;
  return queues.length === 1 && queue && !/^!|\*$|\0|^∅$/.test(queue) ? queue.slice(0, 200) : '';
}
