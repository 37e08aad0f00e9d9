'use client';
import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';

const KeysDialog = dynamic(() => import('./keys-dialog').then((module) => module.KeysDialog), { ssr: false });

/** The dialog of keys; its code comes when it is first asked for, and no page waits for it. */
export function LazyKeysDialog(props: ComponentProps<typeof KeysDialog>) {
  const [asked, setAsked] = useState(props.open);
  if (props.open && !asked) setAsked(true);
  return asked ? <KeysDialog {...props} /> : null;
}
