// The queues of each feature, which a database needs before any start.
export { rehearsalQueue as rehearsals } from './rehearsals/server/queue.ts'
