import { queue } from '../../platform/jobs/queue.ts'
import type { MailJob } from './kinds/registry.ts'

export const mailQueue = queue<MailJob>('mail')
