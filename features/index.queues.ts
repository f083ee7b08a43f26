// The queues of each feature, which a database needs before any start.
export { madeCodeQueue as 'promotion-codes' } from './promotion-codes/server/queue.ts'
export { rehearsalQueue as rehearsals } from './rehearsals/server/queue.ts'
