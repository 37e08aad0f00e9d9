import type { IconName } from '@/components/ui/icon';
import { countedText, countText } from '@/components/ui/number-text';
import type { Operation } from '@/lib/contract/operation';
import { ACTION_WORDS } from './action-words';
import { answeredCount, leftOutSince, sentCount } from './outcomes.model';
import { skipText } from './skip-words';

/** `0417`. */
export function operationNumber(id: string): string {
  return id.padStart(4, '0');
}

/** `Redrive of 2,968 entries`. */
export function operationTitle({ action, eligible }: Pick<Operation, 'action' | 'eligible'>): string {
  return `${ACTION_WORDS[action].noun} of ${countedText(eligible, 'entry', 'entries')}`;
}

export type StateLook = { word: string; tone: '' | 'pill-run' | 'pill-warn' | 'pill-ok'; icon: IconName };

export function stateLook(operation: Pick<Operation, 'state' | 'paused_because' | 'outcomes'>): StateLook {
  if (operation.state === 'paused')
    return pausedBy(operation.paused_because) === null
      ? { word: 'paused by itself', tone: 'pill-warn', icon: 'pause' }
      : { word: 'paused', tone: 'pill-warn', icon: 'pause' };
  if (operation.state === 'cancelled') return { word: 'cancelled', tone: '', icon: 'ban' };
  if (operation.state === 'finished') return { word: 'finished', tone: 'pill-ok', icon: 'check' };
  return { word: operation.state, tone: 'pill-run', icon: 'play' };
}

/** Who paused it, or null where nobody did. */
function pausedBy(because: string | null): string | null {
  return /^paused by (.+)$/.exec(because ?? '')?.[1] ?? null;
}

/** Why it is paused, as a sentence. */
export function pausedText(because: string | null): string {
  const who = pausedBy(because);
  if (who) return `Paused by ${who}.`;
  const [, fixed, of, bound] = /^canary: fixed (\d+) of (\d+), under (.+)$/.exec(because ?? '') ?? [];
  if (fixed && of && bound) return `Paused by itself: the canary fixed ${fixed} of ${of}, under ${bound}.`;
  return because ? `Paused by itself: ${because}.` : 'Paused.';
}

export type Stage = {
  name: string;
  /** `held`: it did not hold, so the rest waits. `stopped`: cancelled before its end. */
  phase: 'done' | 'now' | 'held' | 'stopped' | 'next';
  text: string;
  /** Of its own entries, 0 to 1. */
  share: number;
};

/** The canary and the rest, or nothing where all go at once. `holds` is the share of the canary that has to be fixed. */
export function stagesOf(operation: Operation, holds: number): Stage[] {
  const { canary, eligible } = operation;
  if (canary === null) return [];
  const rest = Math.max(0, eligible - canary);
  const restSent = Math.max(0, sentCount(operation) - canary);
  const isOver = operation.state === 'finished' || operation.state === 'cancelled';
  const isPast = restSent > 0 || operation.state === 'finished';
  return [
    isPast
      ? { name: 'Canary', phase: 'done', text: `${countText(canary)} sent`, share: 1 }
      : canaryStage(operation, canary, holds),
    {
      name: 'The rest',
      phase: operation.state === 'cancelled' ? 'stopped' : isOver ? 'done' : isPast ? 'now' : 'next',
      text:
        isOver || isPast
          ? `${countText(restSent)} of ${countText(rest)} sent`
          : `${countText(rest)}, if the canary fixes ${Math.round(holds * 100)} %`,
      share: rest === 0 ? 0 : restSent / rest,
    },
  ];
}

/** While nothing of the rest was sent. */
function canaryStage(operation: Operation, canary: number, holds: number): Stage {
  const { state, paused_because, outcomes } = operation;
  const sent = sentCount(operation);
  const answered = answeredCount(operation);
  const fixed = `${countText(outcomes.fixed)} of ${countText(canary)} fixed`;
  const isAnswered = answered >= canary;
  const failed = isAnswered && outcomes.fixed / answered < holds;
  if (failed || (state === 'paused' && /^canary\b/.test(paused_because ?? '')))
    return { name: 'Canary', phase: 'held', text: fixed, share: 1 };
  return {
    name: 'Canary',
    phase: state === 'cancelled' ? (isAnswered ? 'done' : 'stopped') : 'now',
    text:
      sent < canary
        ? `${countText(sent)} of ${countText(canary)} sent`
        : isAnswered
          ? fixed
          : `${countText(sent)} sent, ${countedText(canary - answered, 'answer', 'answers')} to come`,
    share: sent / canary,
  };
}

/** Running, but holding the rest back until the canary is answered. */
export function waitsForCanary(operation: Pick<Operation, 'state' | 'canary' | 'outcomes'>): boolean {
  return operation.state === 'running' && operation.canary !== null && sentCount(operation) === operation.canary;
}

/** What a finished action on few entries came to: `3 abandoned, 1 left out: changed since the preview`. */
export function resultText(operation: Operation): { text: string; tone: 'ok' | 'warn' } {
  const { action, outcomes } = operation;
  const left = leftOutSince(operation);
  const { done, verb } = ACTION_WORDS[action];
  const reasons = [...new Set(operation.skipped.map(({ reason, detail }) => skipText(reason, detail, action)))];
  const why = reasons.length === 1 && reasons[0] ? `: ${lowerFirst(reasons[0])}` : '';
  if (outcomes.applied === 0 && left > 0) {
    const because = reasons.length === 1 && reasons[0] ? `${reasons[0]}. ` : '';
    return { text: `${because}Your ${verb.toLowerCase()} was not applied.`, tone: 'warn' };
  }
  const parts = [`${countText(outcomes.applied)} ${done}`];
  if (outcomes.skipped > 0) parts.push(`${countText(outcomes.skipped)} left out${why}`);
  if (outcomes.cancelled > 0) parts.push(`${countText(outcomes.cancelled)} cancelled`);
  return { text: `${parts.join(', ')}.`, tone: left > 0 ? 'warn' : 'ok' };
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
