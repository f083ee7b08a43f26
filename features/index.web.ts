// The web application's part of each feature.
export { claims } from './claims/web/feature.ts'
export { emailTemplates } from './email-templates/web/feature.ts'
export { embed } from './embed/web/feature.ts'
export { fraudCases } from './fraud-cases/web/feature.ts'
export { promotionCodes } from './promotion-codes/web/feature.ts'
export { push } from './push/web/feature.ts'
export { reports } from './reports/web/feature.ts'
