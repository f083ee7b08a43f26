import { queue } from '../../platform/jobs/queue.ts'

/** A mail to send, with its kind and ids; never a token. */
export type Mail = { kind: string; id: string; [more: string]: unknown }
export const mailQueue = queue<Mail>('mail')
