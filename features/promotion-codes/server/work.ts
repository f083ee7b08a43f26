import { worksOn } from '#server/platform/jobs/worker.ts'
import { workOnCode } from './make-codes.ts'
import { madeCodeQueue } from './queue.ts'

export const promotionCodeWork = worksOn(madeCodeQueue, workOnCode)
