import { z } from 'zod';
import { editedPayloadSchema, payloadEditSchema } from '@/lib/contract/edit';
import { REPAIR_METHODS, repairSchema } from '@/lib/contract/repair';
import { type ApiOperation, json } from './api-operation';
import { id } from './parameters';

const REPAIR_RULES = [
  'A preview: nothing is stored. What cannot be repaired (a curve, a surface, a ring without a point, a vertex at infinity, or what takes too long) is answered with possible: false and why_not.',
  'loss says whether more is lost than the budget named beside it allows, and loss_why by what.',
  'The area of an invalid polygon is the sum of its rings’ signed shoelace sums, each taken positive, holes taken off: the loops of a bow-tie cancel out.',
].join(' ');

const EDIT_RULES = [
  'One of repair, src_crs and revert_to. An edit is one more version of the payload, with edited_by; what was captured stays, and so does the idempotency key. The entry is diagnosed anew.',
  'Under src_crs the geometry’s own number follows, where it has one; swapped and the signs put its axes in place.',
  'payload_hash and version are what you saw: refused with 409 where either is another one now, and while a redrive is under way, in doubt or waiting for its outcome, or the entry is resolved.',
  'A later capture decides the current payload anew: where the task fails with the payload as it was, that one is current again, and the edit stays a version to go back to.',
  'A redrive of an edited payload says so: edited_by in its body, and the header Dlo-Payload-Edited.',
].join(' ');

export const REPAIR_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/dead-letters/{id}/repair',
    role: 'viewer',
    summary: 'What ST_MakeValid would make of the geometry, and what would be lost',
    description: REPAIR_RULES,
    params: id,
    query: z.object({ method: z.enum(REPAIR_METHODS).optional() }),
    answer: json(repairSchema.meta({ id: 'Repair' })),
  },
  {
    method: 'post',
    path: '/api/dead-letters/{id}/payload',
    role: 'operator',
    summary: 'Edit the payload for a redrive: a repair, another CRS, or back to a stored version',
    description: EDIT_RULES,
    params: id,
    body: json(payloadEditSchema.meta({ id: 'PayloadEdit' })),
    answer: json(editedPayloadSchema.meta({ id: 'EditedPayload' })),
    also: { 409: { description: 'It cannot be edited now, or has changed since' } },
  },
];
