'use client';
import './similar.css';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { similarQuery } from '@/lib/api/similar';
import { similarAddress, similarCount, similarWords } from './similar.model';

/** How many unresolved entries are like this one; each number opens its filter and leaves the entry open. */
export function SimilarSection({ id }: { id: string }) {
  const { data, error } = useQuery(similarQuery(id));
  if (!data && !error) return null;
  return (
    <section aria-labelledby="similar-h">
      <div className="sub">
        <h3 id="similar-h">Similar</h3>
        <span className="cap">{data ? 'unresolved, this one among them' : 'could not be counted'}</span>
      </div>
      {data && (
        <ul className="similar">
          {data.items.map((item) => (
            <li key={item.kind}>
              <Link href={similarAddress(item.filter, id)} prefetch={false} title={item.value ?? undefined}>
                <b className="num">{similarCount(item)}</b> <span>{similarWords(item)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
