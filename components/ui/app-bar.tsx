'use client';
import Link from 'next/link';
import { Suspense } from 'react';
import { AppNav } from './app-nav';
import { DepthNow } from './depth-now';
import { DisplayMenu } from './display-menu';
import { Icon } from './icon';
import { openKeysDialog } from './keys-request';
import { openPalette } from './palette-request';
import { QueueSwitch } from './queue-switch';

/** On every page: where one is, of which queue, and how deep it is. */
export function AppBar() {
  return (
    <header className="appbar">
      <Link className="brand" href="/" aria-label="Dead Letter Office: triage">
        <svg className="logo" viewBox="0 0 20 20" aria-hidden focusable="false">
          <rect x="1.75" y="3.75" width="16.5" height="12.5" rx="2" />
          <path d="M2.5 4.5 17.5 15.5V4.5L2.5 15.5z" />
        </svg>
        <span>Dead Letter Office</span>
      </Link>
      <Suspense>
        <QueueSwitch />
      </Suspense>
      <AppNav />
      <div className="appbar-end">
        <button
          type="button"
          className="btn command-button"
          aria-label="Search or run a command"
          title="Search or run a command (Ctrl K or ⌘ K)"
          onClick={openPalette}
        >
          <Icon name="search" />
          <span>Search or run a command</span>
          <kbd>Ctrl K</kbd>
        </button>
        <DepthNow />
        <Link
          className="btn btn-icon btn-quiet"
          href="/docs/capture"
          aria-label="Docs: how to capture"
          title="Docs: how to capture"
        >
          <Icon name="circle-help" />
        </Link>
        <DisplayMenu />
        <button
          type="button"
          className="btn btn-icon btn-quiet keys-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={openKeysDialog}
        >
          <Icon name="keyboard" />
        </button>
      </div>
    </header>
  );
}
