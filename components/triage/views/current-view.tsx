'use client';
import { useState } from 'react';
import { useToast } from '@/components/ui/toast';
import type { View } from '@/lib/contract/view';
import type { TriageUrl } from '../use-triage-url';
import { defaultViewId, setDefaultView } from './browser-memory';
import { NameForm } from './name-form';
import type { useChangeViews } from './use-change-views';
import { viewAddress, viewSearch } from './view.model';

/** The view that is open: update it to the page, rename it, copy its link, make it this browser's default, delete it. */
export function CurrentView({
  view,
  changed,
  url,
  views: { change, remove, busy },
  onDone,
}: {
  view: View;
  changed: boolean;
  url: TriageUrl;
  views: ReturnType<typeof useChangeViews>;
  onDone: () => void;
}) {
  const toast = useToast();
  const [renaming, setRenaming] = useState(false);
  const [standard, setStandard] = useState(() => defaultViewId() === view.id);
  const toggleDefault = () => {
    setDefaultView(standard ? null : view.id);
    setStandard(!standard);
  };
  const copyLink = () => {
    navigator.clipboard.writeText(`${window.location.origin}/${viewAddress(view)}`).then(
      () => toast({ text: 'Link of the view copied' }),
      () => toast({ tone: 'warn', text: 'The browser did not allow copying' }),
    );
    onDone();
  };
  return (
    <section className="views-current" aria-label="Open view">
      <p>
        <b>
          <bdi>{view.name}</bdi>
        </b>
        {changed && <span className="faint">changed</span>}
      </p>
      {renaming ? (
        <NameForm
          label="New name"
          button="Rename"
          start={view.name}
          busy={busy}
          onName={(name) => change.mutate({ view, name, search: view.search }, { onSuccess: () => setRenaming(false) })}
        />
      ) : (
        <div className="views-acts">
          {changed && (
            <>
              <button
                type="button"
                className="btn btn-s btn-primary"
                disabled={busy}
                onClick={() =>
                  change.mutate(
                    { view, name: view.name, search: viewSearch(url.state) },
                    {
                      onSuccess: () => {
                        toast({ text: `View “${view.name}” updated` });
                        onDone();
                      },
                    },
                  )
                }
              >
                Update to this filter
              </button>
              <button
                type="button"
                className="btn btn-s"
                onClick={() => {
                  url.visit(viewAddress(view));
                  onDone();
                }}
              >
                Reset
              </button>
            </>
          )}
          <button type="button" className="btn btn-s" onClick={() => setRenaming(true)}>
            Rename…
          </button>
          <button type="button" className="btn btn-s" onClick={copyLink}>
            Copy link
          </button>
          <button
            type="button"
            className="btn btn-s"
            aria-pressed={standard}
            title="The page opens with it in this browser"
            onClick={toggleDefault}
          >
            {standard ? 'Default here' : 'Make default'}
          </button>
          <button
            type="button"
            className="btn btn-s btn-danger"
            disabled={busy}
            onClick={() =>
              remove.mutate(view, {
                onSuccess: () => {
                  url.go(() => ({ view: null }), 'replace');
                  onDone();
                },
              })
            }
          >
            Delete
          </button>
        </div>
      )}
    </section>
  );
}
