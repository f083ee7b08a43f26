// The handlers of each feature's queues.
export { rehearsalWork as rehearsals } from './rehearsals/server/work.ts'
