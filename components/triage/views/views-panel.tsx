'use client';
import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { useToast } from '@/components/ui/toast';
import type { View, ViewList } from '@/lib/contract/view';
import type { TriageUrl } from '../use-triage-url';
import { defaultViewId, recentViews } from './browser-memory';
import { CurrentView } from './current-view';
import { NameForm } from './name-form';
import { useChangeViews } from './use-change-views';
import { matchingViews, searchText, viewAddress, viewOf, viewSearch } from './view.model';
import './views.css';

/** From here on the list has a field to search it. */
const SEARCH_FROM = 9;

/** The open view with what can be done to it, all views, the filters looked at last, and saving this one. */
export default function ViewsPanel({
  url,
  now,
  list,
  error,
  current,
  changed,
  onRetry,
  onDone,
}: {
  url: TriageUrl;
  now: string | null;
  list: ViewList | null;
  error: Error | null;
  current: View | null;
  changed: boolean;
  onRetry: () => void;
  onDone: () => void;
}) {
  const toast = useToast();
  const views = useChangeViews();
  const [wanted, setWanted] = useState('');
  const [recent] = useState(recentViews);
  const at = now ?? Date.now();
  const items = list?.items ?? [];
  const full = list !== null && items.length >= list.most;
  const found = matchingViews(items, wanted, at);
  const standard = defaultViewId();
  const open = (search: string) => {
    url.visit(search);
    onDone();
  };
  const save = (name: string) =>
    views.create.mutate(
      { name, search: viewSearch(url.state) },
      {
        onSuccess: (view) => {
          url.go(() => ({ view: view.id }), 'replace');
          toast({ text: `View “${view.name}” saved` });
          onDone();
        },
      },
    );
  return (
    <div className="views">
      {current && <CurrentView view={current} changed={changed} url={url} views={views} onDone={onDone} />}
      {error && (
        <p className="bad-t views-problem" role="alert">
          The views could not be read: {error.message}.{' '}
          <button type="button" className="link" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
      {views.failed && (
        <p className="bad-t views-problem" role="alert">
          {sentence(views.failed.message)}
        </p>
      )}
      <section aria-label="Saved views">
        <h3 className="cap">Saved</h3>
        {items.length >= SEARCH_FROM && (
          <input
            className="input views-search"
            aria-label="Find a view"
            placeholder="Find a view"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        )}
        {list && items.length === 0 && <p className="cap">None yet.</p>}
        {items.length > 0 && found.length === 0 && <p className="cap">No view has these words.</p>}
        <ul className="views-list">
          {found.map((view) => (
            <li key={view.id}>
              <button
                type="button"
                className="menu-item"
                {...(view.id === current?.id ? { 'aria-current': true } : {})}
                title={`${searchText(view.search, at)}\nsaved by ${view.created_by}`}
                onClick={() => open(viewAddress(view))}
              >
                {view.id === current?.id ? <Icon name="check" small /> : <span className="i s" />}
                <bdi className="trunc">{view.name}</bdi>
                {view.id === standard && <span className="faint">default</span>}
                {view.queue && <span className="faint trunc">{view.queue}</span>}
              </button>
            </li>
          ))}
        </ul>
      </section>
      {recent.length > 0 && (
        <section aria-label="Recent views">
          <h3 className="cap">Recent, in this browser</h3>
          <ul className="views-list">
            {recent.map(({ search }) => {
              const saved = viewOf(search, items);
              const text = searchText(search, at);
              return (
                <li key={search}>
                  <button
                    type="button"
                    className="menu-item"
                    title={text}
                    onClick={() => open(saved ? viewAddress(saved) : search)}
                  >
                    <span className="i s" />
                    <bdi className="trunc">{saved?.name ?? text}</bdi>
                  </button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <section aria-label="Save this filter">
        {full ? (
          <p className="cap">{list.most} views are saved, the most that are kept. Delete one to save another.</p>
        ) : (
          <NameForm
            label={current ? 'Save as another view' : 'Save this filter as a view'}
            button="Save"
            busy={views.busy}
            onName={save}
          />
        )}
      </section>
      {current && (
        <button
          type="button"
          className="menu-item"
          onClick={() => {
            url.go(() => ({ view: null }), 'replace');
            onDone();
          }}
        >
          <span className="i s" />
          Leave the view, keep the filter
        </button>
      )}
    </div>
  );
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
