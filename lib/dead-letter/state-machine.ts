import { captureAgain } from './capture-transition';
import type { EntryModel, Failure, Transition } from './entry-model';
import { abandon, quarantine, reopen, resolve } from './operator-transitions';
import { type Claim, claim, intend, type Settlement, settle, sweep } from './redrive-transitions';
import type { Resolution } from './vocabulary';

/**
 * What can be done to a dead letter. `version` is the one that the asker saw: another one means that somebody was faster.
 * `at` is the moment, in milliseconds of the database's clock.
 */
export type Command =
  | { do: 'capture'; failure: Failure }
  | ({ do: 'claim' } & Claim)
  | { do: 'intend'; at: number; attempt_id: string; need_ms: number }
  | { do: 'settle'; at: number; attempt_id: string; outcome: Settlement }
  | { do: 'sweep'; at: number; confirm_ms: number }
  | { do: 'abandon'; at: number; version: number }
  | { do: 'quarantine'; at: number; version: number }
  | { do: 'reopen'; at: number; version: number }
  | { do: 'resolve'; at: number; version: number; resolution: Exclude<Resolution, 'abandoned'> };

/**
 * The state machine, pure: the entry after the command, or the same entry and why not. The statements of `db/queries` do
 * the same in sets; a test runs both on the same commands.
 *
 * open → redriving → redriven → resolved is the way back. Beside it: in_doubt (sent, and nothing known), quarantined
 * (kept from being sent), and every way back to open.
 */
export function transition(entry: EntryModel, command: Command): Transition {
  switch (command.do) {
    case 'capture':
      return captureAgain(entry, command.failure);
    case 'claim':
      return claim(entry, command);
    case 'intend':
      return intend(entry, command);
    case 'settle':
      return settle(entry, command);
    case 'sweep':
      return sweep(entry, command);
    case 'abandon':
      return abandon(entry, command);
    case 'quarantine':
      return quarantine(entry, command);
    case 'reopen':
      return reopen(entry, command);
    case 'resolve':
      return resolve(entry, command);
  }
}
