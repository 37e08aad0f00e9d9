'use client';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { KeyLine } from '@/components/triage/keys.model';
import { KeysDialog } from '@/components/triage/keys-dialog';
import { useKeys } from '@/components/triage/use-keys';
import { useDisplay } from '@/components/ui/display';
import { onKeysDialogRequest } from '@/components/ui/keys-request';

const PAGES: KeyLine[] = [
  { keys: ['g', 't'], does: 'triage' },
  { keys: ['g', 'o'], does: 'operations' },
  { keys: ['?'], does: 'these keys' },
];

/** The keys of the pages of operations; `onPause` is null where nothing can be paused or resumed. */
export function OperationKeys({ onPause = null }: { onPause?: (() => void) | null }) {
  const router = useRouter();
  const { letter_keys } = useDisplay();
  const [shown, setShown] = useState(false);
  const pause = useRef(onPause);
  useEffect(() => {
    pause.current = onPause;
  });
  useEffect(() => onKeysDialogRequest(() => setShown(true)), []);
  useKeys(letter_keys, (command) => {
    if (command === 'show_keys') setShown(true);
    else if (command === 'go_triage') router.push('/');
    else if (command === 'go_operations') router.push('/operations');
    else return false;
    return true;
  });
  useEffect(() => {
    if (!letter_keys) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'p' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat)
        return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input, textarea, select, [role="dialog"]')) return;
      pause.current?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [letter_keys]);
  return (
    <KeysDialog
      open={shown}
      onClose={() => setShown(false)}
      groups={[
        ...(onPause ? [{ title: 'This operation', lines: [{ keys: ['p'], does: 'pause, resume' }] }] : []),
        { title: 'Pages', lines: PAGES },
      ]}
    />
  );
}
