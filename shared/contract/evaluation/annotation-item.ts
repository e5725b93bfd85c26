import { z } from 'zod';
import { queuePath } from './annotation-queues.ts';

export const resourceType = z.enum(['trace', 'span', 'session']);
export const itemStatus = z.enum(['pending', 'in_progress', 'completed', 'skipped']);
const moment = z.iso.datetime();

export const annotationItem = z
  .object({
    id: z.uuid(),
    queue_id: z.uuid(),
    resource_id: z.string(),
    resource_type: resourceType,
    status: itemStatus,
    assigned_to: z.string().nullable(),
    completed_by: z.string().nullable(),
    completed_at: moment.nullable(),
    created_at: moment,
    assignees: z.array(z.string()).meta({ description: 'Users who are to review the item and have not yet. Additive.' }),
  })
  .meta({ id: 'AnnotationItem' });

export const reviewer = z
  .object({
    id: z.uuid(),
    item_id: z.uuid(),
    user_id: z.string(),
    status: z.enum(['assigned', 'completed', 'skipped']),
    completed_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'Reviewer' });

export const itemPath = queuePath.extend({ itemId: z.uuid() });
