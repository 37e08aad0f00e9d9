import { DlqError } from '@/lib/contract/error';
import type { Producer } from '@/lib/contract/token';

/**
 * The queue of what a producer sends: the one that it names, else its token's, else nothing said.
 * @throws DlqError forbidden where the token is for another queue or other tasks.
 */
export function queueWithinLimits(
  producer: Producer | null | undefined,
  { queue, task_name }: { queue: string | undefined; task_name: string },
): string | undefined {
  if (!producer) return queue;
  const { name, task_names } = producer;
  if (producer.queue !== null && queue !== undefined && queue !== producer.queue)
    throw new DlqError(
      'forbidden',
      `queue: the token ${name} is for the queue “${producer.queue}”, not “${queue.slice(0, 60)}”; leave queue out, or take another token`,
    );
  if (task_names !== null && !task_names.includes(task_name))
    throw new DlqError(
      'forbidden',
      `task_name: the token ${name} is for ${task_names.slice(0, 5).join(', ')}${task_names.length > 5 ? ', …' : ''}, not “${task_name.slice(0, 60)}”`,
    );
  return queue ?? producer.queue ?? undefined;
}
