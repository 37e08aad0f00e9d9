import { Icon, type IconName } from './icon';

type Look = { tone: '' | 'pill-run' | 'pill-warn' | 'pill-ok' | 'pill-bad'; icon: IconName | null };

/** Keyed by the state, or by the resolution of a resolved entry: that word says more. */
const LOOKS: Record<string, Look> = {
  open: { tone: '', icon: null },
  redriving: { tone: 'pill-run', icon: 'send' },
  redriven: { tone: '', icon: 'arrow-up-right' },
  in_doubt: { tone: 'pill-warn', icon: 'circle-help' },
  quarantined: { tone: '', icon: 'lock' },
  fixed: { tone: 'pill-ok', icon: 'check' },
  abandoned: { tone: '', icon: 'archive' },
};

/** The state of an entry in its own word; a resolved entry shows its resolution. */
export function StatePill({ state, resolution = null }: { state: string; resolution?: string | null }) {
  const word = state === 'resolved' && resolution ? resolution : state;
  const look = LOOKS[word] ?? { tone: '', icon: 'check' };
  return (
    <span className={`pill ${look.tone}`} title={state === 'resolved' ? `resolved: ${word}` : undefined}>
      {look.icon && <Icon name={look.icon} />}
      {word.replaceAll('_', ' ')}
    </span>
  );
}

/** Shown beside the state of an entry that was resolved and failed again. */
export function CameBackPill({ reopen_count }: { reopen_count: number }) {
  if (reopen_count === 0) return null;
  return (
    <span className="pill pill-bad">
      <Icon name="rotate-ccw" />
      came back {reopen_count === 1 ? 'once' : `${reopen_count} times`}
    </span>
  );
}
