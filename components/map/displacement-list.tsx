'use client';
import Link from 'next/link';
import { useState } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import { symbolClass } from '@/components/ui/class-symbol';
import type { DisplacementAnswer, DisplacementGroup } from '@/lib/contract/displacement';
import { distanceText } from '@/lib/crs/distance-words';
import { SHOWN_GROUPS } from './displacement';

const number = (value: number) => value.toLocaleString('en-GB');

/** The groups of the displacement layer: the arrows in words, each a link to its filter. */
export function DisplacementList({
  answer,
  ordered,
  openId,
}: {
  answer: DisplacementAnswer;
  ordered: readonly DisplacementGroup[];
  /** The open entry, which stays open. */
  openId: string | null;
}) {
  const [all, setAll] = useState(false);
  if (answer.total === 0) return <p className="cap">No entry here has both a tile and a place.</p>;
  const shown = all ? ordered : ordered.slice(0, SHOWN_GROUPS);
  const hidden = answer.group_count - shown.length;
  return (
    <>
      <p className="cap">
        From where they landed to their tiles
        {answer.sampled < answer.total && `, by the ${number(answer.sampled)} newest of ${number(answer.total)}`}
      </p>
      <ol className="displaced">
        {shown.map((group, i) => (
          <li key={JSON.stringify([group.failure_class, group.task_name, group.src_crs])}>
            <GroupRow group={group} place={i + 1} openId={openId} />
          </li>
        ))}
      </ol>
      {hidden > 0 &&
        (all || ordered.length <= SHOWN_GROUPS ? (
          <p className="cap">{number(hidden)} smaller groups more</p>
        ) : (
          <button type="button" className="btn btn-s" onClick={() => setAll(true)}>
            {number(hidden)} more
          </button>
        ))}
    </>
  );
}

function GroupRow({ group, place, openId }: { group: DisplacementGroup; place: number; openId: string | null }) {
  const { failure_class, task_name, src_crs, count, sentence, filter } = group;
  const content = (
    <>
      <span className="displaced-h">
        <span className="num">{place}</span>
        <ClassMark failure_class={symbolClass(failure_class)} />
        <span className="displaced-s">{sentence}</span>
        <b className="num">{number(count)}</b>
      </span>
      <span className="cap displaced-d">
        {failure_class}, {task_name}, <span className="mono">{src_crs ?? 'no claim'}</span>
        {detailOf(group)}
      </span>
    </>
  );
  if (filter === null) return <span className="displaced-r">{content}</span>;
  const address = `/?${filter}${openId === null ? '' : `&entry=${encodeURIComponent(openId)}`}`;
  return (
    <Link className="displaced-r" href={address} prefetch={false}>
      {content}
    </Link>
  );
}

function detailOf({
  kind,
  in_tile,
  sampled,
  distance_m,
  spread_m,
  src_crs,
  crs_verdict,
  suggestion,
}: DisplacementGroup): string {
  const parts: string[] = [];
  if (kind !== 'in_tiles' && distance_m !== null)
    parts.push(
      `${distanceText(distance_m)}${spread_m !== null && spread_m >= 1 ? ` ± ${distanceText(spread_m)}` : ''}`,
    );
  if (kind !== 'in_tiles' && in_tile > 0) parts.push(`${number(in_tile)} of ${number(sampled)} in their tiles`);
  if (crs_verdict !== null)
    parts.push(suggestion === null || suggestion === src_crs ? crs_verdict : `${crs_verdict}, ${suggestion} suggested`);
  return parts.map((part) => `; ${part}`).join('');
}
