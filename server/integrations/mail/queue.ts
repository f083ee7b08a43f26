import { queue } from '../../platform/jobs/queue.ts'

/** A mail that is due, by its kind and what it is about; never a token. */
export type Mail = { kind: string; id: string; [more: string]: unknown }
export const mailQueue = queue<Mail>('mail')
