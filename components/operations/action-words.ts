import type { Action } from '@/lib/contract/operation';

type Words = {
  /** `Redrive 3,155 entries?`, and the button. */
  verb: string;
  /** `Redrive of 2,968 entries`. */
  noun: string;
  /** Beside the number that it concerns. */
  will: string;
  /** What that means, in one line. */
  effect: string;
  /** `3 abandoned`. */
  done: string;
  /** While it runs. */
  doing: string;
};

export const ACTION_WORDS: Record<Action, Words> = {
  redrive: {
    verb: 'Redrive',
    noun: 'Redrive',
    will: 'will be sent',
    effect: 'same key, exact bytes',
    done: 'sent',
    doing: 'Redriving',
  },
  abandon: {
    verb: 'Abandon',
    noun: 'Abandonment',
    will: 'will be abandoned',
    effect: 'resolved; evidence and history stay',
    done: 'abandoned',
    doing: 'Abandoning',
  },
  quarantine: {
    verb: 'Quarantine',
    noun: 'Quarantine',
    will: 'will be quarantined',
    effect: 'never sent until reopened',
    done: 'quarantined',
    doing: 'Quarantining',
  },
  reopen: {
    verb: 'Reopen',
    noun: 'Reopening',
    will: 'will be open again',
    effect: 'with all their redrives before them',
    done: 'reopened',
    doing: 'Reopening',
  },
};
