'use client';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { CONFIRM_OVER, type Preview } from '@/lib/contract/operation';
import {
  countProblem,
  type PreviewForm as Form,
  type PreviewField,
  readCanary,
  readCount,
  readRate,
  timeForAll,
} from './preview.model';
import { TargetsOf } from './targets-of';

export const fieldId = (field: PreviewField) => `preview-${field}`;

/** How it is to be done and why. Problems are shown once a start was tried, the count's as soon as it is typed. */
export function PreviewForm({
  id,
  preview,
  form,
  problems,
  holds,
  onChange,
  onSubmit,
}: {
  id: string;
  preview: Preview;
  form: Form;
  problems: Partial<Record<PreviewField, string>>;
  /** The share of the canary that has to be fixed before the rest is sent. */
  holds: number;
  onChange: (change: Partial<Form>) => void;
  onSubmit: () => void;
}) {
  const { action, eligible } = preview;
  const reason = useRef<HTMLInputElement>(null);
  useEffect(() => reason.current?.focus(), []);
  const rate = readRate(form.rate);
  const canary = readCanary(form, eligible);
  const typed = form.confirm.trim() === '' ? null : countProblem(form.confirm, eligible);
  return (
    <form
      id={id}
      className="pv-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {action === 'redrive' && (
        <>
          <div className="pv-fld">
            <span className="pv-lab">Target</span>
            <TargetsOf targets={preview.targets} eligible={eligible} />
          </div>
          {eligible > 1 && (
            <Field field="rate" label="Rate" problem={problems.rate}>
              <input
                {...inputProps('rate', problems.rate)}
                className="input short num"
                inputMode="decimal"
                autoComplete="off"
                value={form.rate}
                onChange={(event) => onChange({ rate: event.target.value })}
              />
              <span className="dim">
                per s{rate !== null && `, ${timeForAll(eligible, rate)} for all at the soonest`}
              </span>
            </Field>
          )}
          {eligible > 1 && (
            <div className="pv-fld">
              <span className="pv-lab">Canary first</span>
              <div className="pv-can">
                <span className="pv-tog">
                  <input
                    id="preview-with-canary"
                    type="checkbox"
                    className="check"
                    checked={form.with_canary}
                    onChange={(event) => onChange({ with_canary: event.target.checked })}
                  />
                  <label htmlFor="preview-with-canary">Send</label>
                  <input
                    {...inputProps('canary', problems.canary)}
                    className="input short num"
                    inputMode="numeric"
                    autoComplete="off"
                    aria-label="Canary size"
                    disabled={!form.with_canary}
                    value={form.canary}
                    onChange={(event) => onChange({ canary: event.target.value })}
                  />
                  <label htmlFor="preview-with-canary">first and wait for their answers</label>
                </span>
                {problems.canary && <Problem field="canary">{problems.canary}</Problem>}
                {form.with_canary && canary !== null && canary > 0 && (
                  <>
                    <p className="pv-ladder cap">
                      <span>
                        <b>{countText(canary)}</b>canary
                      </span>
                      <Icon name="chevron-right" small />
                      <span>
                        <b>{countText(eligible - canary)}</b>the rest
                      </span>
                    </p>
                    <p className="cap">
                      The rest is sent when <b>{Math.round(holds * 100)} %</b> of the canary is fixed; else it pauses
                      and says so.
                    </p>
                  </>
                )}
              </div>
            </div>
          )}
        </>
      )}
      <Field field="reason" label="Reason" problem={problems.reason}>
        <input
          {...inputProps('reason', problems.reason)}
          ref={reason}
          className="input"
          required
          maxLength={2000}
          autoComplete="off"
          placeholder={action === 'redrive' ? 'What changed, e.g. fixed in 2.14.1' : 'Why'}
          value={form.reason}
          onChange={(event) => onChange({ reason: event.target.value })}
        />
      </Field>
      {eligible > CONFIRM_OVER && (
        <Field field="confirm" label="Type the count" problem={typed ?? problems.confirm}>
          <input
            {...inputProps('confirm', typed ?? problems.confirm)}
            className="input short num"
            inputMode="numeric"
            autoComplete="off"
            required
            value={form.confirm}
            onChange={(event) => onChange({ confirm: event.target.value })}
          />
          {readCount(form.confirm) === eligible && (
            <span className="ok-t" role="status">
              <Icon name="check" /> matches
            </span>
          )}
        </Field>
      )}
    </form>
  );
}

function inputProps(field: PreviewField, problem: string | undefined) {
  return {
    id: fieldId(field),
    ...(problem ? { 'aria-invalid': true, 'aria-describedby': `${fieldId(field)}-problem` } : {}),
  };
}

function Field({
  field,
  label,
  problem,
  children,
}: {
  field: PreviewField;
  label: string;
  problem: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="pv-fld">
      <label className="pv-lab" htmlFor={fieldId(field)}>
        {label}
      </label>
      <div>
        {children}
        {problem && <Problem field={field}>{problem}</Problem>}
      </div>
    </div>
  );
}

function Problem({ field, children }: { field: PreviewField; children: ReactNode }) {
  return (
    <span className="bad-t pv-bad" id={`${fieldId(field)}-problem`} role="alert">
      {children}
    </span>
  );
}
