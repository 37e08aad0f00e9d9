import type { ClassifyRule } from './classify-rules';

const rule = (from: string, says: string, when: Partial<ClassifyRule>): ClassifyRule => ({
  failure_class: 'oom',
  from,
  says,
  ...when,
});

export const OOM_RULES: readonly ClassifyRule[] = [
  rule('Node worker threads', 'ERR_WORKER_OUT_OF_MEMORY', { code: /^ERR_WORKER_OUT_OF_MEMORY$/ }),
  rule('V8', 'heap out of memory, heap limit reached', {
    message: /heap out of memory|reached heap limit|reaching memory limit|worker_out_of_memory/i,
  }),
  rule('V8', 'an array buffer, typed array or string larger than there can be', {
    message:
      /array buffer allocation failed|invalid typed array length: \d{7}|(^|rangeerror: )invalid string length\s*(\n|$)|cannot create a string longer than/i,
  }),
  rule('Node', 'a string longer than there can be (ERR_STRING_TOO_LONG)', { code: /^ERR_STRING_TOO_LONG$/ }),
  rule('PostgreSQL', '53200 out_of_memory', { code: /^53200$/ }),
  rule('GDAL, GEOS, libc', 'out of memory, cannot allocate', {
    message:
      /out of memory|(cannot|could not|failed to|unable to) (re)?allocate|malloc\S* ?(failed|of \d)|oom-?killed/i,
  }),
  rule('C++, WebAssembly', 'bad_alloc, memory access out of bounds, a memory that cannot grow', {
    message: /bad_?alloc|memory access out of bounds|(enlarge|grow) memory|aborted\(oom\)/i,
  }),
  // a child that its own parent killed ran out of time, not of memory
  {
    failure_class: 'upstream_timeout',
    from: 'child processes',
    says: 'SIGKILL by the parent itself, at its deadline (killed, timedOut)',
    code: /^SIG(KILL|TERM)$/,
    flag: 'timedOut',
  },
  {
    failure_class: 'upstream_timeout',
    from: 'child processes',
    says: 'SIGKILL by the parent itself (killed)',
    code: /^SIGKILL$/,
    flag: 'killed',
  },
  rule('child processes', 'exit code 137 or 134, SIGKILL, ENOMEM', { code: /^(134|137|SIGKILL|ENOMEM)$/ }),
  rule('child processes, by text', 'exit code 137, killed by SIGKILL, died with signal 9', {
    message:
      /\bexit(ed)?( with)?( code| status)?:? 137\b|(killed|terminated|died)( by| with)?( signal)? (<signals\.)?sigkill|\bsignal 9\b/i,
  }),
  rule('any', 'MemoryError, OutOfMemoryError', {
    type: /(^|\.)(_?(Array)?MemoryError|OutOfMemory(Error|Exception)?)$/i,
  }),
  rule('any, by text', 'the same names, written in the text', {
    message: /memoryerror|outofmemory/i,
  }),
];
