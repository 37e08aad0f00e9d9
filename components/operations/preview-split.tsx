'use client';
import { useState } from 'react';
import { countText } from '@/components/ui/number-text';
import type { Preview } from '@/lib/contract/operation';
import { ACTION_WORDS } from './action-words';
import { PreviewMembers } from './preview-members';
import { SkipReason } from './skip-reason';

const REASONS_SHOWN = 6;

/** How many it concerns and how many not, and why not; the members themselves on request. */
export function PreviewSplit({ preview }: { preview: Preview }) {
  const { action, eligible, matched, skipped } = preview;
  const [listed, setListed] = useState(false);
  const [all, setAll] = useState(false);
  const left = matched - eligible;
  const { will, effect } = ACTION_WORDS[action];
  const shown = all ? skipped : skipped.slice(0, REASONS_SHOWN);
  /** The one entry that it is about, where it is about one. */
  const only = matched === 1 && left === 0 ? preview.sample[0] : undefined;
  const digits = countText(Math.max(left, 100)).length;
  const unnamed = left - skipped.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <section className="pv-split" aria-label="What will happen">
        <div className="pv-bar" aria-hidden>
          {eligible > 0 && <span style={{ flex: eligible }} />}
          {left > 0 && <span className="out" style={{ flex: left }} />}
        </div>
        <div className="pv-elig">
          <span className="pv-big">{countText(eligible)}</span>
          <span>
            {will}
            <br />
            <span className="cap">{effect}</span>
          </span>
        </div>
        <div className="pv-skipped" style={{ '--n': `${digits}ch` }}>
          <p className="pv-row">
            {left > 0 ? (
              <>
                <b className="num">{countText(left)}</b> will not
              </>
            ) : only ? (
              <span className="mono pv-only">{only.work_key}</span>
            ) : (
              <span className="dim">None is left out.</span>
            )}
            {!only && (
              <button type="button" className="link" aria-expanded={listed} onClick={() => setListed(!listed)}>
                {listed ? 'hide them' : left > 0 ? 'list them' : 'list some'}
              </button>
            )}
          </p>
          {only && <p className="cap mono">{only.task_name}</p>}
          {left > 0 && (
            <ul className="pv-reasons">
              {shown.map(({ reason, detail, count }) => (
                <li key={`${reason} ${detail}`}>
                  <span className="num">{countText(count)}</span>
                  <span>
                    <SkipReason reason={reason} detail={detail} action={action} />
                  </span>
                </li>
              ))}
              {unnamed > 0 && (all || skipped.length <= REASONS_SHOWN) && (
                <li>
                  <span className="num">{countText(unnamed)}</span>
                  <span>For other reasons; the list has each</span>
                </li>
              )}
            </ul>
          )}
          {!all && skipped.length > REASONS_SHOWN && (
            <button type="button" className="link cap" onClick={() => setAll(true)}>
              {countText(skipped.length - REASONS_SHOWN)} more reasons
            </button>
          )}
        </div>
      </section>
      {listed && <PreviewMembers preview={preview} />}
    </>
  );
}
