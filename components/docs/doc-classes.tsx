import { ClassMark } from '@/components/ui/class-mark';
import { C, DocSection, DocTable } from './doc-section';

export interface Recognised {
  failure_class: string;
  from: string;
  says: string;
}

/** What the classifier recognises, in the order in which it asks. */
export function DocClasses({ rules }: { rules: readonly Recognised[] }) {
  return (
    <DocSection id="classes" title="What is recognised">
      <p>
        A capture without <C>failure_class</C> gets one. The first rule that holds for the error, else for one of its
        causes, decides; where none does it is <C>unknown</C>, the bucket to read each week. The clients and the
        database decide alike. A word of your own is kept as it came.
      </p>
      <DocTable
        head={['Class', 'From', 'Recognised']}
        rows={rules.map(({ failure_class, from, says }) => [
          <span key="class" className="doc-class">
            <ClassMark failure_class={failure_class} />
            {failure_class}
          </span>,
          from,
          says,
        ])}
      />
    </DocSection>
  );
}
