import type { Author } from '../../platform/author.ts'
import { queue } from '../../platform/jobs/queue.ts'

/** The account whose waiting sales are booked, in one currency or in all; and the author. */
export type Waiting = { accountId: string; currency: string | null; by: Author }
export const waitingSalesQueue = queue<Waiting>('waiting-sales')
