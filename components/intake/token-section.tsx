'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { Segmented } from '@/components/ui/segmented';
import type { Token } from '@/lib/contract/token';
import { NewTokenDialog } from './new-token-dialog';
import { RevokeDialog } from './revoke-dialog';
import { SectionEmpty, SectionProblem, SectionSkeleton } from './section-states';
import { tokenState } from './token.model';
import { TokenTable } from './token-table';

/** Who may send captures: the tokens of producers. */
export function TokenSection({
  query,
  origin,
  ended,
  onShow,
}: {
  query: UseQueryResult<{ items: Token[] }>;
  origin: string;
  /** Those that ended are listed instead. */
  ended: boolean;
  onShow: (ended: boolean) => void;
}) {
  const { data, error, dataUpdatedAt: now, refetch } = query;
  // a new key for each opening, so that no dialog begins with what the one before held
  const [making, setMaking] = useState({ open: false, key: 0 });
  const [revoking, setRevoking] = useState<Token | null>(null);
  const all = data?.items ?? [];
  const in_use = all.filter((token) => tokenState(token, now) === 'in_use');
  const shown = ended ? all.filter((token) => tokenState(token, now) !== 'in_use') : in_use;
  const onNew = () => setMaking(({ key }) => ({ open: true, key: key + 1 }));
  return (
    <>
      {error && <SectionProblem what="tokens" error={error} shown_at={now} onRetry={() => void refetch()} />}
      <div className="in-filter">
        <Segmented
          label="Which tokens"
          value={ended ? 'ended' : 'in_use'}
          options={[
            { value: 'in_use', label: data ? `In use ${countText(in_use.length)}` : 'In use' },
            { value: 'ended', label: data ? `Ended ${countText(all.length - in_use.length)}` : 'Ended' },
          ]}
          onChange={(value) => onShow(value === 'ended')}
        />
        <span className="cap">A token may send captures, blobs and run reports, and nothing else.</span>
        <button type="button" className="btn in-right" onClick={onNew}>
          <Icon name="plus" />
          New token
        </button>
      </div>
      {!data && !error && <SectionSkeleton what="tokens" />}
      {data && shown.length === 0 && (ended ? <SectionEmpty title="No token has ended." /> : <NoToken />)}
      {shown.length > 0 && (
        <section className="card">
          <TokenTable tokens={shown} now={now} onRevoke={ended ? null : setRevoking} />
        </section>
      )}
      <NewTokenDialog
        key={making.key}
        open={making.open}
        origin={origin}
        onClose={() => setMaking(({ key }) => ({ open: false, key }))}
      />
      <RevokeDialog token={revoking} now={now} onClose={() => setRevoking(null)} />
    </>
  );
}

function NoToken() {
  return (
    <SectionEmpty title="No token is in use.">
      <p className="dim">
        On this machine captures are taken without one, unless DLO_INTAKE=token is set. A token says which producer sent
        a capture, and holds it to its queue and tasks.
      </p>
    </SectionEmpty>
  );
}
