import type { By } from '../../platform/by.ts'
import { queue } from '../../platform/jobs/queue.ts'

/** Of which account the sales that wait are booked, in one currency or in all; and by whom. */
export type Waiting = { accountId: string; currency: string | null; by: By }
export const waitingSalesQueue = queue<Waiting>('waiting-sales')
