import { queue } from '../../platform/jobs/queue.ts'

/** A posted application, whose e-mail nothing has been looked up for yet. */
export type PostedApplication = { accountId: string; id: string }
export const applicationQueue = queue<PostedApplication>('application')
