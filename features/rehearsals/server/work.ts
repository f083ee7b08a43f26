import { worksOn } from '#server/platform/jobs/worker.ts'
import { rehearsalQueue } from './queue.ts'
import { runRehearsal } from './run-rehearsal.ts'

export const rehearsalWork = worksOn(rehearsalQueue, runRehearsal)
