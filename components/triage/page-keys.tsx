'use client';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useDisplay } from '@/components/ui/display';
import { onKeysDialogRequest } from '@/components/ui/keys-request';
import { useUndo } from '@/components/ui/toast';
import { EVERYWHERE, type KeyLine, PAGE_KEYS, PAGE_PATHS } from './keys.model';
import { LazyKeysDialog } from './lazy-keys-dialog';
import { useKeys } from './use-keys';

const NONE: readonly { title: string; lines: readonly KeyLine[] }[] = [];

/** The keys that every page has: to the other pages, and the dialog that shows them all, with `own` above them. */
export function PageKeys({ own = NONE }: { own?: readonly { title: string; lines: readonly KeyLine[] }[] }) {
  const router = useRouter();
  const { letter_keys } = useDisplay();
  const undo = useUndo();
  const [shown, setShown] = useState(false);
  useEffect(() => onKeysDialogRequest(() => setShown(true)), []);
  useKeys(letter_keys, (command) => {
    const path = PAGE_PATHS[command];
    if (command === 'show_keys') setShown(true);
    else if (command === 'undo') return undo();
    else if (path) router.push(path);
    else return false;
    return true;
  });
  return (
    <LazyKeysDialog
      open={shown}
      onClose={() => setShown(false)}
      groups={[...own, { title: 'Pages', lines: [...PAGE_KEYS, ...EVERYWHERE] }]}
    />
  );
}
