// The server's part of each feature.
export { announcements } from './announcements/server/feature.ts'
export { claims } from './claims/server/feature.ts'
export { fraudCases } from './fraud-cases/server/feature.ts'
export { objections } from './objections/server/feature.ts'
export { promotionCodes } from './promotion-codes/server/feature.ts'
export { rehearsals } from './rehearsals/server/feature.ts'
export { reports } from './reports/server/feature.ts'
export { rewards } from './rewards/server/feature.ts'
