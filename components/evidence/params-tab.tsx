'use client';
import { useMemo, useState } from 'react';
import { countedText } from '@/components/ui/number-text';
import { Segmented } from '@/components/ui/segmented';
import type { Payload } from '@/lib/contract/entry';
import { CopyButton } from './copy-button';
import { filterLines, headOfText, type JsonLine, jsonLines, readJson } from './json-view.model';
import { PayloadSwitch } from './payload-switch';

/** More lines than this are narrowed by words instead of scrolled. */
const MOST_LINES = 1000;

/** What the task was called with. Numbers keep their digits; what is no JSON is shown as it came. */
export function ParamsTab({ payloads, current, now }: { payloads: readonly Payload[]; current: string; now: number }) {
  const [version, setVersion] = useState(
    Math.max(
      0,
      payloads.findIndex(({ payload_hash }) => payload_hash === current),
    ),
  );
  const [words, setWords] = useState('');
  const [raw, setRaw] = useState(false);
  const payload = payloads[version] ?? payloads[0];
  const text = payload?.params_text ?? null;
  const root = useMemo(() => (text === null ? null : readJson(text)), [text]);
  const lines = useMemo(() => (root ? jsonLines(root) : []), [root]);
  const shown = useMemo(() => filterLines(lines, words), [lines, words]);
  return (
    <>
      <PayloadSwitch payloads={payloads} current={current} version={version} now={now} onVersion={setVersion} />
      {text === null ? (
        <p className="dim">No params were captured.</p>
      ) : (
        <>
          <div className="sub first">
            {root && !raw && (
              <input
                className="input filter-box"
                type="search"
                placeholder="Filter by name or value"
                aria-label="Filter params"
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            )}
            <span className="right">
              {root && (
                <Segmented
                  label="Show params as"
                  value={raw ? 'text' : 'tree'}
                  options={[
                    { value: 'tree', label: 'Tree' },
                    { value: 'text', label: 'Text' },
                  ]}
                  onChange={(value) => setRaw(value === 'text')}
                />
              )}
              <CopyButton text={text} what="Params" words />
            </span>
          </div>
          {!payload?.params_exact && (
            <p className="cap">Kept as jsonb: the order of members and the spelling of numbers are the database's.</p>
          )}
          {!root && <p className="cap warn-t">This is no JSON; it is shown as it came.</p>}
          {root && !raw ? (
            <>
              <dl className="params">
                {shown.slice(0, MOST_LINES).map((line) => (
                  <ParamLine key={line.path} line={line} />
                ))}
              </dl>
              {shown.length === 0 && (
                <p className="dim">{words ? `No param matches “${words}”.` : 'There are no params.'}</p>
              )}
              {shown.length > MOST_LINES && (
                <p className="cap">
                  {countedText(shown.length - MOST_LINES, 'line', 'lines')} more: filter, or copy the text.
                </p>
              )}
            </>
          ) : (
            <pre className="code">{headOfText(text)}</pre>
          )}
        </>
      )}
    </>
  );
}

function ParamLine({ line }: { line: JsonLine }) {
  const { node, key, depth, text } = line;
  const inexact = node.kind === 'number' && node.beyond_double;
  return (
    <div>
      <dt className="mono" style={{ paddingLeft: depth * 14 }}>
        {key}
      </dt>
      <dd
        className={`mono is-${node.kind}`}
        title={inexact ? 'More digits than a double holds: shown as written' : undefined}
      >
        {node.kind === 'object' && node.members.length > 0 ? (
          <span className="faint">{countedText(node.members.length, 'member', 'members')}</span>
        ) : null}
        {node.kind === 'array' && node.items.length > 0 ? (
          <span className="faint">{countedText(node.items.length, 'item', 'items')}</span>
        ) : null}
        {headOfText(text)}
        {inexact && <span className="cap"> exact text</span>}
      </dd>
    </div>
  );
}
