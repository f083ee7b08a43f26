// The handlers of each feature's queues.
export { promotionCodeWork as 'promotion-codes' } from './promotion-codes/server/work.ts'
export { rehearsalWork as rehearsals } from './rehearsals/server/work.ts'
