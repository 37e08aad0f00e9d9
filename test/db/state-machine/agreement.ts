import fc from 'fast-check';
import type { Db } from '@/db/client';
import { commandSequences } from './commands';
import { expectUnbrokenEvents, makeWorld } from './world';

/** Rejects where the statements and the pure state machine come to differ on some sequence of commands. */
export async function expectAgreement(db: Db, options: fc.Parameters<unknown>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(commandSequences, async (commands) => {
      const world = await makeWorld(db);
      await fc.asyncModelRun(() => world, commands);
      await expectUnbrokenEvents(world.real);
    }),
    options as fc.Parameters<[Iterable<fc.AsyncCommand<never, never>>]>,
  );
}
